package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** The journal of a walk, moved by the real engine: the same requests, and no place of it is left. */
public class RealReportTest {
  private static boolean holds(byte[] bytes, byte[] piece) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(new String(piece, StandardCharsets.ISO_8859_1));
  }

  /** The first bytes of a latitude or longitude, which all places within centimetres share. */
  private static byte[] beginning(double degrees, ByteOrder order) {
    byte[] all = ByteBuffer.allocate(8).order(order).putDouble(degrees).array();
    return order == ByteOrder.BIG_ENDIAN ? java.util.Arrays.copyOf(all, 5) : java.util.Arrays.copyOfRange(all, 3, 8);
  }

  @Test public void aWalkIsMovedWithAllThatWasAskedForAndNoPlaceIsLeft() throws IOException {
    File files = Stage.folder();
    File folder = new File(files, "watch");
    assertTrue(folder.mkdirs());
    new Disk().write(new File(folder, "1.snapshot"), new Seed().zone(7, Stage.north(500), 100, 1).snapshot());
    Stage stage = new Stage(36, files);
    stage.open().leave();
    stage.walk(Stage.HOME, Stage.north(501), 60);
    byte[] journal = new WatchFiles(folder, new Disk()).history();
    byte[] moved = Engine.moved(journal);
    JournalNotes before = new JournalNotes(journal);
    JournalNotes after = new JournalNotes(moved);
    assertTrue(before.requests + " requests", before.launches == 1 && before.requests > 0);
    assertEquals(before.launches, after.launches);
    assertEquals(before.requests, after.requests);
    assertEquals(before.answered, after.answered);
    assertEquals(before.wake_ms, after.wake_ms);
    assertEquals(before.fences.size(), after.fences.size());
    int found = 0;
    for (double degrees : new double[] {Stage.HOME[0], Stage.HOME[1], Stage.north(500)[0], Stage.north(500)[1]}) {
      for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
        if (holds(journal, beginning(degrees, order))) found++;
        assertFalse(degrees + " " + order, holds(moved, beginning(degrees, order)));
      }
    }
    assertTrue("the zone's place is in the journal itself", found >= 2);
    assertFalse("each report is turned anew", java.util.Arrays.equals(moved, Engine.moved(journal)));
  }

  @Test public void whatIsNoJournalIsRefusedInWords() {
    for (byte[] bytes : new byte[][] {{}, {1, 2, 3}, "PXJ1".getBytes(StandardCharsets.US_ASCII)}) {
      String message = assertThrows(IllegalArgumentException.class, () -> Engine.moved(bytes)).getMessage();
      assertTrue(message, message.contains("journal"));
    }
    assertThrows(IllegalArgumentException.class, () -> Engine.moved(null));
  }
}
