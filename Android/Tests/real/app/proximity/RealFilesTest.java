package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Files that are lost or damaged between two processes, with the real engine: the zones are still watched, and the person is told. */
public class RealFilesTest {
  private static final long ZONE_M = 500;

  private final Disk disk = new Disk();
  private File folder;
  private Stage stage;

  @Before public void watch() throws IOException {
    File files = Stage.folder();
    folder = new File(files, "watch");
    assertTrue(folder.mkdirs());
    disk.write(new File(folder, "1.snapshot"), new Seed().zone(7, Stage.north(ZONE_M), 100, Seed.NORMAL).snapshot());
    disk.write(new File(folder, "1.journal"), new byte[0]);
    stage = new Stage(34, files);
    stage.open();
    stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], 8);
    stage.phone.run(5_000);
    stage.leave();
    stage.walk(Stage.HOME, Stage.HOME, 60);
    // As after hundreds of entries: the journal has become a part of the history.
    stage.kill();
    byte[] state = disk.read(file(1, ".snapshot"));
    assertTrue(disk.read(file(1, ".journal")).length > 0);
    disk.write(file(2, ".journal"), disk.read(file(1, ".journal")));
    disk.write(file(1, ".journal"), new byte[0]);
    disk.write(file(2, ".snapshot"), state);
  }

  @After public void mendDisk() {
    Watch.disk = new Disk();
  }

  private File file(long number, String ending) {
    return new File(folder, number + ending);
  }

  private void restart() {
    stage.phone.isAllowedToStart = true;
    stage.restart();
    stage.open().leave();
  }

  private boolean rings() {
    stage.walk(Stage.HOME, Stage.north(ZONE_M), 250);
    return stage.phone.noted.stream().anyMatch(each -> each.startsWith("+alarm:"));
  }

  private void expectToldAndWatched() {
    restart();
    assertTrue(stage.isTold(Trouble.DAMAGED));
    assertTrue("it rings: " + stage.phone.noted, rings());
  }

  @Test public void wholeFilesAreNoTrouble() {
    restart();
    assertFalse(stage.isTold(Trouble.DAMAGED));
    assertTrue(rings());
  }

  @Test public void theSnapshotIsLost() throws IOException {
    disk.delete(file(2, ".snapshot"));
    expectToldAndWatched();
  }

  @Test public void theSnapshotIsDamaged() throws IOException {
    byte[] bytes = disk.read(file(2, ".snapshot"));
    bytes[bytes.length / 2] ^= 1;
    disk.write(file(2, ".snapshot"), bytes);
    expectToldAndWatched();
  }

  @Test public void theJournalIsLost() throws IOException {
    disk.delete(file(2, ".journal"));
    expectToldAndWatched();
  }

  @Test public void theJournalIsDamaged() throws IOException {
    byte[] bytes = disk.read(file(2, ".journal"));
    bytes[20] ^= 1;
    disk.write(file(2, ".journal"), bytes);
    expectToldAndWatched();
  }

  @Test public void theHistoryIsLost() throws IOException {
    disk.delete(file(1, ".snapshot"));
    disk.delete(file(1, ".journal"));
    restart();
    assertFalse(stage.isTold(Trouble.DAMAGED));
    assertTrue(rings());
  }

  @Test public void everythingIsLostButASignThatSomethingWasWatched() throws IOException {
    for (File each : folder.listFiles()) disk.delete(each);
    restart();
    assertTrue(stage.isTold(Trouble.DAMAGED));
    assertFalse(rings());
  }

  @Test public void aSnapshotThatWasNotFinishedIsNoTrouble() throws IOException {
    disk.write(file(3, ".journal"), new byte[0]);
    restart();
    assertFalse(stage.isTold(Trouble.DAMAGED));
    assertTrue(rings());
  }

  @Test public void whatTheDiskRefusedIsWrittenOnceItCan() throws IOException {
    boolean[] isFull = {true};
    Watch.disk = new Disk() {
      @Override void append(File file, byte[] bytes) throws IOException {
        if (isFull[0]) throw new IOException("No space left on device");
        super.append(file, bytes);
      }

      @Override void write(File file, byte[] bytes) throws IOException {
        if (isFull[0]) throw new IOException("No space left on device");
        super.write(file, bytes);
      }
    };
    restart();
    assertTrue(stage.isTold(Trouble.STORAGE_FULL));
    assertTrue(rings());
    isFull[0] = false;
    stage.phone.run(15_000);
    assertFalse(stage.isTold(Trouble.STORAGE_FULL));
    stage.kill();
    Watch.disk = new Disk();
    int before = stage.phone.noted.size();
    restart();
    assertFalse(stage.isTold(Trouble.DAMAGED));
    // The alarm that began while nothing could be written goes on under its own name.
    stage.phone.run(15_000);
    long names = stage.phone.noted.stream().filter(each -> each.startsWith("+alarm:")).distinct().count();
    assertEquals("" + stage.phone.noted.subList(before, stage.phone.noted.size()), 1, names);
  }
}
