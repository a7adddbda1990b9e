package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.Before;
import org.junit.Test;

/** Tests that positions reach the server, also after kills and hours without network. */
public class ReportTest {
  /** The positions that the server has received, by their time. Repeated ones count once. */
  private final TreeSet<Long> known = new TreeSet<>();
  private final List<Integer> sizes = new ArrayList<>();
  private int status = 200;
  private boolean isReachable = true;

  @Before public void begin() {
    Engine.zones = new double[][] {{Stage.north(400)[0], Stage.HOME[1], 50}};
    Engine.isArmed = true;
    Engine.accepted.clear();
  }

  private final Reports.Way server = (address, token, lines) -> {
    assertEquals("https://example.org", address);
    assertEquals("secret", token);
    if (!isReachable) throw new IOException("no network");
    if (status != 200) return status;
    sizes.add(lines.length);
    for (String line : new String(lines, StandardCharsets.UTF_8).split("\n")) {
      // A line that a kill cut short is refused, as by the real server; the other lines of the request are accepted.
      if (line.endsWith("}")) known.add(Long.parseLong(line.replaceAll("[^0-9]", "")));
    }
    return 200;
  };

  private void turnOn(Stage stage) {
    WatchThread.post(stage.context, Input.PERSON, watch -> watch.reports.change("https://example.org", "secret"));
    stage.phone.settle();
  }

  private Stage reporting(int level) {
    Stage stage = new Stage(level).open();
    Reports.way = server;
    turnOn(stage);
    return stage;
  }

  private static File[] waiting(Stage stage) {
    return new File(stage.phone.files, "reports").listFiles((in, name) -> name.endsWith(".lines"));
  }

  private static int last(Stage stage) {
    int[] last = {0};
    WatchThread.post(stage.context, Input.PERSON, watch -> last[0] = watch.reports.last);
    stage.phone.settle();
    return last[0];
  }

  @Test public void nothingIsReportedUnlessAPersonWantsIt() {
    Stage stage = new Stage(34).open();
    Reports.way = server;
    stage.walk(Stage.HOME, Stage.north(300), 60);
    assertTrue(known.isEmpty());
    assertEquals(0, waiting(stage).length);
  }

  @Test public void positionsGoThereAtEveryLevelWithThePageGone() {
    for (int level : Stage.LEVELS) {
      known.clear();
      Engine.accepted.clear();
      Stage stage = reporting(level).leave();
      stage.walk(Stage.HOME, Stage.north(300), 60);
      assertTrue("API " + level, Engine.accepted.size() > 50);
      assertTrue("API " + level, known.containsAll(Engine.accepted));
      assertEquals("API " + level, 0, waiting(stage).length);
    }
  }

  @Test public void withoutNetworkTheyWaitAndGoTogether() {
    Stage stage = reporting(34);
    isReachable = false;
    stage.walk(Stage.HOME, Stage.north(300), 120);
    assertTrue(known.isEmpty());
    assertEquals(Reports.FAILED, last(stage));
    isReachable = true;
    stage.walk(Stage.north(300), Stage.HOME, 30);
    assertTrue(known.containsAll(Engine.accepted));
    assertTrue("many in one request: " + sizes, Collections.max(sizes) > 1_000);
    assertEquals(Reports.SENT, last(stage));
  }

  @Test public void aServerThatRefusesIsSaidAndNothingIsLost() {
    Stage stage = reporting(34);
    status = 401;
    stage.walk(Stage.HOME, Stage.north(100), 30);
    assertEquals(Reports.REFUSED, last(stage));
    status = 503;
    stage.walk(Stage.north(100), Stage.HOME, 30);
    assertEquals(Reports.FAILED, last(stage));
    status = 200;
    stage.walk(Stage.HOME, Stage.north(100), 30);
    assertTrue(known.containsAll(Engine.accepted));
  }

  @Test public void turnedOffNothingStays() {
    Stage stage = reporting(34);
    isReachable = false;
    stage.walk(Stage.HOME, Stage.north(100), 30);
    assertTrue(waiting(stage).length > 0);
    WatchThread.post(stage.context, Input.PERSON, watch -> watch.reports.change("", ""));
    stage.phone.settle();
    assertEquals(0, waiting(stage).length);
    isReachable = true;
    stage.kill().open();
    Reports.way = server;
    stage.walk(Stage.HOME, Stage.north(100), 30);
    assertTrue(known.isEmpty());
  }

  @Test public void anAddressWithoutEncryptionIsNone() {
    Stage stage = new Stage(34).open();
    for (String address : new String[] {"http://example.org", "example.org", "https://a\nb", ""}) {
      WatchThread.post(stage.context, Input.PERSON, watch -> {
        watch.reports.change(address, "secret");
        assertFalse(address, watch.reports.isOn());
      });
      stage.phone.settle();
    }
  }

  /** With kills at random file operations and an unreliable network, the server has all positions at the end. */
  @Test public void killedAtAnyMomentEveryAcceptedPositionArrives() {
    for (int level : Stage.LEVELS) {
      for (int seed = 1; seed <= 6; seed++) {
        String story = "API " + level + ", seed " + seed;
        Random random = new Random(1_000L * level + seed);
        known.clear();
        Engine.accepted.clear();
        isReachable = true;
        Stage stage = reporting(level).kill();
        int kills = 0;
        boolean isOpen = false;
        for (int step = 0; step < 300; ) {
          try {
            if (!isOpen) {
              Watch.disk = kills < 30 ? new DyingDisk(1 + random.nextInt(12), random.nextDouble()) : new Disk();
              Reports.way = server;
              stage.phone.isAllowedToStart = true;
              stage.open();
              isOpen = true;
            }
            isReachable = random.nextInt(3) > 0;
            stage.phone.run(1_000);
            stage.phone.moveTo(Stage.north(10 * (step % 50))[0], Stage.HOME[1], 5);
            step++;
          } catch (Killed e) {
            kills++;
            stage.kill();
            isOpen = false;
          }
        }
        isReachable = true;
        stage.kill();
        Watch.disk = new Disk();
        stage.open();
        Reports.way = server;
        stage.walk(Stage.HOME, Stage.north(100), 60);
        assertTrue(story + ": kills " + kills, kills >= 30);
        assertTrue(story + ": " + Engine.accepted.size(), Engine.accepted.size() > 150);
        TreeSet<Long> missing = new TreeSet<>(Engine.accepted);
        missing.removeAll(known);
        assertTrue(story + ": missing " + missing, missing.isEmpty());
        assertEquals(story, 0, waiting(stage).length);
      }
    }
  }

  @Test public void whatWaitsIsBoundedAndTheOldestGoes() throws IOException {
    File folder = Stage.folder();
    Outbox outbox = new Outbox(folder, new Disk());
    byte[] line = new byte[Engine.reportFileBytes() / 4];
    for (int i = 0; i < 4 * (Engine.reportFiles() + 20); i++) outbox.append(line);
    assertEquals(Engine.reportFiles(), outbox.count());
    assertEquals("21.lines", outbox.oldest().getName());
    // A new process does not append to an incomplete line.
    Outbox again = new Outbox(folder, new Disk());
    again.append(new byte[] {1});
    assertEquals("121.lines", folder.listFiles((in, name) -> name.startsWith("121"))[0].getName());
  }

  @Test public void theRequestIsOneThatTheServerReads() throws Exception {
    List<String> seen = new ArrayList<>();
    HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    http.createContext("/", exchange -> {
      seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      seen.add(exchange.getRequestHeaders().getFirst("Authorization"));
      seen.add(exchange.getRequestHeaders().getFirst("Content-Type"));
      seen.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.getResponseHeaders().add("Location", "https://elsewhere.example/");
      exchange.sendResponseHeaders(seen.size() > 4 ? 302 : 200, -1);
      exchange.close();
    });
    http.start();
    try {
      String address = "http://127.0.0.1:" + http.getAddress().getPort() + "/home";
      assertEquals(200, new HttpPost().send(address, "secret", "{}\n".getBytes(StandardCharsets.UTF_8)));
      assertEquals("[POST /home/api/v1/fixes, Bearer secret, application/x-ndjson, {}\n]", seen.toString());
      assertEquals("not followed", 302, new HttpPost().send(address, "secret", new byte[] {10}));
    } finally {
      http.stop(0);
    }
  }
}
