package app.proximity;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/** A disk that ends the process at its n-th operation: before it, in the middle of its bytes, or after it. */
final class DyingDisk extends Disk {
  private final int dies;
  private final double part;
  int operations;
  boolean isDead;

  DyingDisk(int dies, double part) {
    this.dies = dies;
    this.part = part;
  }

  private interface Operation {
    void run() throws IOException;
  }

  private void act(Operation whole, Operation partly) throws IOException {
    if (isDead) throw new Killed();
    operations++;
    if (operations != dies) {
      whole.run();
      return;
    }
    isDead = true;
    if (part >= 1) whole.run();
    else if (part > 0) partly.run();
    throw new Killed();
  }

  private byte[] some(byte[] bytes) {
    return Arrays.copyOf(bytes, (int) (bytes.length * part));
  }

  @Override void write(File file, byte[] bytes) throws IOException {
    act(() -> super.write(file, bytes), () -> super.write(file, some(bytes)));
  }

  @Override void append(File file, byte[] bytes) throws IOException {
    act(() -> super.append(file, bytes), () -> super.append(file, some(bytes)));
  }

  @Override void rename(File from, File to) throws IOException {
    act(() -> super.rename(from, to), () -> {});
  }

  @Override void delete(File file) throws IOException {
    act(() -> super.delete(file), () -> {});
  }

  @Override void syncFolder(File folder) throws IOException {
    act(() -> super.syncFolder(folder), () -> {});
  }
}
