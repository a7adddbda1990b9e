package android.content.res;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** The assets of the APK, which a test sets. */
public final class AssetManager {
  public static final Map<String, byte[]> FILES = new HashMap<>();

  public InputStream open(String name, int mode) throws IOException {
    byte[] bytes = FILES.get(name);
    if (bytes == null) throw new FileNotFoundException(name);
    return new ByteArrayInputStream(bytes);
  }

  public AssetFileDescriptor openFd(String name) throws IOException {
    if (!FILES.containsKey(name)) throw new FileNotFoundException(name);
    return new AssetFileDescriptor(name);
  }
}
