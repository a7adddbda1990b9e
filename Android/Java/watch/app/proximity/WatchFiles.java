package app.proximity;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/**
 * The engine's state on the disk: <code>N.snapshot</code>, <code>N.journal</code> with what came after it, and the
 * journals before it as history.
 *
 * <p>A new snapshot begins the next N. Renaming it is the one step that also begins an empty journal, so a process
 * killed anywhere leaves a snapshot and the journal that belongs to it.
 */
final class WatchFiles {
  /** The oldest history goes when all of it is larger. */
  static final long LARGEST_HISTORY = 8 << 20;

  private final File folder;
  private final Disk disk;
  private long number;
  private byte[] unwritten = {};

  WatchFiles(File folder, Disk disk) {
    this.folder = folder;
    this.disk = disk;
    folder.mkdirs();
    for (File file : files(".snapshot")) number = Math.max(number, numberOf(file));
  }

  byte[] snapshot() throws IOException {
    return disk.read(file(number, ".snapshot"));
  }

  byte[] journal() throws IOException {
    return disk.read(file(number, ".journal"));
  }

  /** Adds to the journal. What cannot be written now is written first the next time. */
  void append(byte[] bytes) throws IOException {
    unwritten = join(unwritten, bytes);
    boolean isNew = !file(number, ".journal").exists();
    disk.append(file(number, ".journal"), unwritten);
    if (isNew) disk.syncFolder(folder);
    unwritten = new byte[0];
  }

  /** Keeps a new snapshot, with an empty journal. */
  void replace(byte[] bytes) throws IOException {
    File fresh = new File(folder, "new");
    disk.write(fresh, bytes);
    disk.rename(fresh, file(number + 1, ".snapshot"));
    disk.syncFolder(folder);
    number += 1;
    unwritten = new byte[0];
    tidy();
  }

  /** Removes former snapshots, and the oldest journals beyond {@link #LARGEST_HISTORY}. */
  private void tidy() throws IOException {
    for (File file : files(".snapshot")) {
      if (numberOf(file) < number) disk.delete(file);
    }
    File[] journals = files(".journal");
    Arrays.sort(journals, (a, b) -> Long.compare(numberOf(b), numberOf(a)));
    long total = 0;
    for (File journal : journals) {
      total += journal.length();
      if (total > LARGEST_HISTORY && numberOf(journal) < number) disk.delete(journal);
    }
  }

  /** All journals, the oldest first: what a person may take along as evidence. */
  byte[] history() throws IOException {
    File[] journals = files(".journal");
    Arrays.sort(journals, (a, b) -> Long.compare(numberOf(a), numberOf(b)));
    byte[] all = {};
    for (File journal : journals) all = join(all, disk.read(journal));
    return all;
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
