package app.proximity;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/**
 * Positions that wait for a server: lines in files <code>N.lines</code>, the oldest first, each file small enough for one request.
 *
 * <p>Every process begins a new file: if the previous process was killed, the last line of its file may be cut, and nothing may be written
 * after it.
 */
final class Outbox {
  private final File folder;
  private final Disk disk;
  private final int largest = Engine.reportFileBytes();
  private long last;
  private long size = largest;
  private byte[] unwritten = {};

  Outbox(File folder, Disk disk) {
    this.folder = folder;
    this.disk = disk;
    folder.mkdirs();
    for (File file : files()) last = Math.max(last, numberOf(file));
  }

  /** Adds lines; they are on the disk when this returns. Lines that cannot be written now are written first the next time. */
  void append(byte[] lines) throws IOException {
    if (unwritten.length < largest) unwritten = WatchFiles.join(unwritten, lines);
    boolean isNew = size >= largest;
    if (isNew) {
      last += 1;
      size = 0;
    }
    disk.append(file(last), unwritten);
    if (isNew) disk.syncFolder(folder);
    size += unwritten.length;
    unwritten = new byte[0];
    File[] files = files();
    for (int i = 0; i < files.length - Engine.reportFiles(); i++) disk.delete(files[i]);
  }

  /** Returns the oldest file, which is no longer written to; null if nothing waits. */
  File oldest() {
    File[] files = files();
    if (files.length == 0) return null;
    if (numberOf(files[0]) == last) size = largest;
    return files[0];
  }

  int count() {
    return files().length;
  }

  void clear() throws IOException {
    unwritten = new byte[0];
    size = largest;
    for (File file : files()) disk.delete(file);
  }

  private File[] files() {
    File[] files = folder.listFiles((in, name) -> name.matches("[0-9]{1,18}\\.lines"));
    if (files == null) return new File[0];
    Arrays.sort(files, (a, b) -> Long.compare(numberOf(a), numberOf(b)));
    return files;
  }

  private File file(long number) {
    return new File(folder, number + ".lines");
  }

  private static long numberOf(File file) {
    return Long.parseLong(file.getName().substring(0, file.getName().indexOf('.')));
  }
}
