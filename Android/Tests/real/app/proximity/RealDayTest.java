package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

/** Whole days through service, JNI and the real engine, the process killed 50 times in each. */
public class RealDayTest {
  /** Runs a day, and returns the zones of the alarms that were shown, in the order in which they began. */
  private static List<String> rung(Day day, int level, long seed, int kills) throws IOException {
    String story = "API " + level + ", day " + seed + ", " + kills + " kills";
    File files = Stage.folder();
    File folder = new File(files, "watch");
    assertTrue(folder.mkdirs());
    Seed installation = new Seed();
    for (Map.Entry<Long, double[]> zone : day.zones.entrySet()) {
      installation.zone(zone.getKey(), zone.getValue(), zone.getValue()[2], zone.getKey() == Day.HAZARD ? Seed.SAFETY : Seed.NORMAL);
    }
    new Disk().write(new File(folder, "1.snapshot"), installation.snapshot());
    new Disk().write(new File(folder, "1.journal"), new byte[0]);
    Stage stage = new Stage(level, files);
    Random random = new Random(seed);
    Map<String, String> zones = new LinkedHashMap<>();
    int killed = 0;
    int left = kills;
    int at = 0;
    boolean isOpen = false;
    boolean dies = false;
    while (at < day.track.size()) {
      try {
        if (!isOpen) {
          dies = left > 0 && random.nextInt(2) == 0;
          Watch.disk = dies ? new DyingDisk(1 + random.nextInt(8), random.nextDouble()) : new Disk();
          stage.phone.isAllowedToStart = true;
          if (at == 0) stage.open().leave();
          else stage.restart();
          isOpen = true;
        }
        stage.phone.run(1_000);
        double[] place = day.track.get(at);
        stage.phone.moveTo(place[0], place[1], 6 + random.nextInt(4));
        for (Map.Entry<String, android.app.Notification> each : stage.phone.notifications.entrySet()) {
          if (each.getKey().startsWith("alarm:")) zones.putIfAbsent(each.getKey(), each.getValue().title.toString());
        }
        at++;
        // The rest of the kills falls between two of the phone's words.
        if (left > 0 && random.nextInt((day.track.size() - at) / left + 1) == 0) throw new Killed();
      } catch (Killed e) {
        killed++;
        left--;
        stage.kill();
        isOpen = false;
      }
    }
    assertEquals(story, kills, killed);
    List<String> shown = new ArrayList<>(stage.phone.noted);
    shown.removeIf(each -> !each.startsWith("+alarm:"));
    assertEquals(story + ": none doubled: " + stage.phone.noted, shown.stream().distinct().count(), shown.size());
    assertEquals(story + ": " + stage.phone.noted, zones.size(), shown.size());
    compare(story, stage, new JournalNotes(new WatchFiles(folder, new Disk()).history()), kills);
    return new ArrayList<>(zones.values());
  }

  /** Checks that the requests noted in the journal are those that the phone has, however often the process was killed. */
  private static void compare(String story, Stage stage, JournalNotes notes, int kills) {
    assertTrue(story + ": " + notes.launches + " starts", notes.launches > kills / 4 && notes.launches <= kills + 1);
    assertTrue(story, notes.requests > 0 && notes.answered > 0 && notes.answered <= notes.requests);
    assertTrue(story + ": " + notes.sources, notes.sources.contains(Input.BY_SATELLITES));
    assertEquals(story, Collections.singleton(0.9), new HashSet<>(notes.batteries));
    if (!stage.phone.isForeground) return; // Killed just now: what it noted last may never have been asked.
    long sessions = stage.phone.listening.stream().filter(each -> each.interval_ms > 0).count();
    assertEquals(story + ": a session", notes.interval_ms >= 0, sessions > 0);
    for (phone.Phone.Listening each : stage.phone.listening) {
      if (each.interval_ms > 0) assertEquals(story, notes.interval_ms, each.interval_ms);
    }
    List<String> fences = new ArrayList<>();
    for (android.app.PendingIntent each : stage.phone.proximity.keySet()) fences.add(each.intent.getData().getSchemeSpecificPart());
    for (Long id : notes.fences) assertTrue(story + ": " + id + " of " + fences, fences.contains("fence/" + Long.toUnsignedString(id)));
  }

  private static List<String> owed(Day day) {
    List<String> owed = new ArrayList<>();
    for (Long zone : day.entered) owed.add("Zone " + zone);
    return owed;
  }

  @Test public void aDayRingsWhatItOwes() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      Day day = new Day(seed);
      assertEquals("day " + seed, owed(day), rung(day, 34, seed, 0));
    }
  }

  @Test public void killedFiftyTimesNoAlarmIsLostAndNoneDoubled() throws IOException {
    for (int level : Stage.LEVELS) {
      Day day = new Day(level);
      assertEquals("API " + level + ", day " + level, owed(day), rung(day, level, level, 50));
    }
  }
}
