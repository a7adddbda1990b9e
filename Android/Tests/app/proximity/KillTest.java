package app.proximity;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.Before;
import org.junit.Test;
import phone.Phone;

/** Kills the process at any moment. No alarm may be lost or repeated. */
public class KillTest {
  @Before public void begin() {
    Engine.zones = new double[][] {
        {Stage.north(200)[0], Stage.HOME[1], 50}, {Stage.north(400)[0], Stage.HOME[1], 50},
        {Stage.north(600)[0], Stage.HOME[1], 50}};
    Engine.isArmed = true;
  }

  /** Travels through three zones and back: six alarms. The process is killed at one disk operation and restarted at once. */
  private static int journey(int level, int dies, double part) {
    Stage stage = new Stage(level);
    DyingDisk disk = new DyingDisk(dies, part);
    String story = "API " + level + ", killed at operation " + dies + ", " + part + " of it done";
    boolean[] hasDied = {false};
    travel(stage, () -> {
      assertTrue(story, !hasDied[0]);
      hasDied[0] = true;
    }, () -> hasDied[0] ? new Disk() : disk);
    assertEquals(story, hasDied[0], dies > 0 && dies <= disk.operations);
    expectSix(story, stage.phone);
    return disk.operations;
  }

  /** Travels out and back in 150 s. A position that was lost with the process is delivered again. */
  private static void travel(Stage stage, Runnable atDeath, Supplier<Disk> disks) {
    boolean isOpen = false;
    for (int step = 0; step <= 150; ) {
      try {
        if (!isOpen) {
          Watch.disk = disks.get();
          stage.phone.isAllowedToStart = true;
          stage.open();
          isOpen = true;
        }
        stage.phone.run(1_000);
        double metres = 10 * (step <= 75 ? step : 150 - step);
        stage.phone.moveTo(Stage.north(metres)[0], Stage.HOME[1], 5);
        step++;
      } catch (Killed e) {
        atDeath.run();
        stage.kill();
        isOpen = false;
      }
    }
  }

  private static void expectSix(String story, Phone phone) {
    List<String> shown = new ArrayList<>(phone.noted);
    shown.removeIf(each -> !each.startsWith("+alarm:"));
    assertEquals(story + ": none lost, none doubled: " + phone.noted, 6, shown.size());
    assertEquals(story + ": " + shown, 6, shown.stream().distinct().count());
    for (String each : shown) {
      assertEquals(story, 1, Collections.frequency(phone.noted, each.replace('+', '-')));
    }
  }

  @Test public void atEveryOperationOnFiles() {
    int operations = journey(34, 0, 0);
    assertTrue("the journey writes: " + operations, operations > 30);
    for (double part : new double[] {0, 0.3, 0.97, 1}) {
      for (int dies = 1; dies <= operations; dies++) journey(34, dies, part);
    }
  }

  @Test public void fiftyTimesAtRandomAtEveryLevel() {
    for (int level : Stage.LEVELS) {
      Random random = new Random(level);
      Stage stage = new Stage(level);
      int[] kills = {0};
      for (int round = 0; round < 10; round++) {
        int enough = 5 * (round + 1);
        stage.phone.noted.clear();
        travel(stage, () -> kills[0]++, () -> kills[0] < enough ? new DyingDisk(1 + random.nextInt(12), random.nextDouble())
            : new Disk());
        stage.kill();
        expectSix("API " + level + ", round " + round, stage.phone);
      }
      assertTrue("API " + level + " was killed " + kills[0] + " times", kills[0] >= 50);
    }
  }

  @Test public void aJournalCutAtAnyByteIsReadUpToThere() throws Exception {
    Stage stage = new Stage(34);
    stage.open();
    stage.walk(Stage.HOME, Stage.north(300), 60);
    File folder = new File(stage.phone.files, "watch");
    File journal = folder.listFiles((in, name) -> name.endsWith(".journal"))[0];
    long length = journal.length();
    byte[] whole = new Disk().read(journal);
    assertTrue(length > 60);
    for (long cut = 0; cut <= length; cut++) {
      stage.kill();
      for (File file : folder.listFiles((in, name) -> name.endsWith(".journal"))) assertTrue(file.delete());
      new Disk().write(journal, whole);
      try (RandomAccessFile file = new RandomAccessFile(journal, "rw")) {
        file.setLength(cut);
      }
      File[] snapshots = folder.listFiles((in, name) -> name.endsWith(".snapshot"));
      assertEquals(1, snapshots.length);
      byte[] snapshot = new Disk().read(snapshots[0]);
      stage.open();
      stage.walk(Stage.north(300), Stage.HOME, 60);
      stage.kill();
      for (File file : folder.listFiles()) assertTrue(file.delete());
      new Disk().write(snapshots[0], snapshot);
    }
  }

  @Test public void theHistoryIsBounded() throws Exception {
    File folder = Stage.folder();
    WatchFiles files = new WatchFiles(folder, new Disk());
    for (int i = 0; i < 30; i++) {
      files.append(new byte[1 << 20]);
      files.replace(new byte[] {(byte) i});
    }
    files.append(new byte[] {1});
    long total = 0;
    for (File file : folder.listFiles()) total += file.length();
    assertTrue("history of " + total, total <= WatchFiles.LARGEST_HISTORY + 100);
    assertTrue("as much as may be", total > WatchFiles.LARGEST_HISTORY - (1 << 20));
    WatchFiles again = new WatchFiles(folder, new Disk());
    assertEquals(29, again.snapshot()[0]);
    assertEquals(1, again.journal().length);
  }

  @Test public void theExportHoldsEachJournalBehindTheStateThatItGoesOnFrom() throws Exception {
    WatchFiles files = new WatchFiles(Stage.folder(), new Disk());
    files.replace(new byte[] {10});
    files.append(new byte[] {11, 12});
    files.replace(new byte[] {20});
    files.append(new byte[] {21});
    byte[] expected = {'P', 'X', 'J', '1', 1, 0, 0, 0, 1, 10, 2, 0, 0, 0, 2, 11, 12, 1, 0, 0, 0, 1, 20, 2, 0, 0, 0, 1, 21};
    assertArrayEquals(expected, files.history());
  }
}
