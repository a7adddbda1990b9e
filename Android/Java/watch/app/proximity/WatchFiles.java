package app.proximity;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/**
 * The engine's state on the disk: <code>N.snapshot</code>, <code>N.journal</code> with the changes after it, and earlier ones as history.
 *
 * <p>A new snapshot begins the next N. Renaming it is the one step that also begins an empty journal, so a process killed at any point
 * leaves a snapshot and the journal that belongs to it.
 */
final class WatchFiles {
  /** The size limit of the history in bytes. If it is exceeded, the oldest files are removed. */
  static final long LARGEST_HISTORY = 8 << 20;

  private final File folder;
  private final Disk disk;
  private long number;
  private byte[] unwritten = {};
  /** A snapshot could not be written: nothing is appended to the journal that it was to replace. */
  private boolean isBehind;

  WatchFiles(File folder, Disk disk) {
    this.folder = folder;
    this.disk = disk;
    folder.mkdirs();
    for (File file : files(".snapshot")) number = Math.max(number, numberOf(file));
    // The journal of a snapshot that is lost. One without entries may be that of a snapshot that was never finished.
    for (File file : files(".journal")) if (file.length() > 0) number = Math.max(number, numberOf(file));
  }

  /** True if nothing is stored: the first start. */
  boolean isEmpty() {
    return files(".snapshot").length == 0 && number == 0 && file(0, ".journal").length() == 0;
  }

  /** True if the last snapshot and its journal are there. */
  boolean isWhole() {
    return isEmpty() || file(number, ".snapshot").exists() && file(number, ".journal").exists();
  }

  byte[] snapshot() throws IOException {
    return disk.read(file(number, ".snapshot"));
  }

  byte[] journal() throws IOException {
    return disk.read(file(number, ".journal"));
  }

  /** Appends to the journal. Bytes that cannot be written now are written first the next time. */
  void append(byte[] bytes) throws IOException {
    if (isBehind) throw new IOException("a snapshot is to be written first");
    unwritten = join(unwritten, bytes);
    boolean isNew = !file(number, ".journal").exists();
    disk.append(file(number, ".journal"), unwritten);
    if (isNew) disk.syncFolder(folder);
    unwritten = new byte[0];
  }

  /** Stores a new snapshot, with an empty journal. */
  void replace(byte[] bytes) throws IOException {
    isBehind = true;
    File fresh = new File(folder, "new");
    disk.write(fresh, bytes);
    // The journal is there before its snapshot: a snapshot without one has lost it.
    disk.write(file(number + 1, ".journal"), new byte[0]);
    disk.rename(fresh, file(number + 1, ".snapshot"));
    disk.syncFolder(folder);
    number += 1;
    isBehind = false;
    unwritten = new byte[0];
    tidy();
  }

  /** Removes the oldest snapshots and journals beyond {@link #LARGEST_HISTORY}. */
  private void tidy() throws IOException {
    long total = 0;
    File[] snapshots = sorted(".snapshot");
    for (int i = snapshots.length - 1; i >= 0; i--) {
      long each = numberOf(snapshots[i]);
      File journal = file(each, ".journal");
      total += snapshots[i].length() + journal.length();
      if (total <= LARGEST_HISTORY || each >= number) continue;
      if (journal.exists()) disk.delete(journal);
      disk.delete(snapshots[i]);
    }
    // A journal without the snapshot it continues from is of no use.
    for (File journal : files(".journal")) {
      if (numberOf(journal) < number && !file(numberOf(journal), ".snapshot").exists()) disk.delete(journal);
    }
  }

  /**
   * Returns all snapshots and journals, the oldest first, in the format of <code>JournalExport</code>: for people as evidence, and for the
   * command line to replay.
   */
  byte[] history() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(all)) {
      out.writeBytes("PXJ1");
      for (File file : sorted("(.snapshot|.journal)")) write(out, isSnapshot(file) ? 1 : 2, file);
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return all.toByteArray();
  }

  private void write(DataOutputStream out, int kind, File file) throws IOException {
    byte[] bytes;
    try {
      bytes = disk.read(file);
    } catch (IOException e) {
      return; // The others still count.
    }
    if (bytes.length == 0) return;
    out.writeByte(kind);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private File[] sorted(String ending) {
    File[] files = files(ending);
    Arrays.sort(files, (a, b) -> Long.compare(place(a), place(b)));
    return files;
  }

  /** A snapshot comes before its journal. */
  private static long place(File file) {
    return 2 * numberOf(file) + (isSnapshot(file) ? 0 : 1);
  }

  private static boolean isSnapshot(File file) {
    return file.getName().endsWith(".snapshot");
  }

  private File[] files(String ending) {
    File[] files = folder.listFiles((in, name) -> name.matches("[0-9]{1,18}" + ending.replace(".", "\\.")));
    return files == null ? new File[0] : files;
  }

  private File file(long number, String ending) {
    return new File(folder, number + ending);
  }

  private static long numberOf(File file) {
    return Long.parseLong(file.getName().substring(0, file.getName().indexOf('.')));
  }

  static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }
}
