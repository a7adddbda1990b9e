package android.content.res;

import java.io.Closeable;
import java.io.FileDescriptor;

public class AssetFileDescriptor implements Closeable {
  /** The name of the file that was opened last, from which the next player takes its source. */
  public static String name;

  AssetFileDescriptor(String name) {
    AssetFileDescriptor.name = name;
  }

  public FileDescriptor getFileDescriptor() {
    return new FileDescriptor();
  }

  public long getStartOffset() {
    return 0;
  }

  public long getLength() {
    return 1;
  }

  @Override public void close() {}
}
