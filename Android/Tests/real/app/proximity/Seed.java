package app.proximity;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** An installation of the real engine that has zones already. */
final class Seed {
  static {
    System.loadLibrary("proximity");
  }

  static final int SAFETY = 0;
  static final int NORMAL = 1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  static native byte[] snapshot(byte[] zones);

  Seed zone(long id, double[] place, double radius_m, int assurance) {
    try {
      out.writeLong(id);
      out.writeDouble(place[0]);
      out.writeDouble(place[1]);
      out.writeDouble(radius_m);
      out.writeByte(assurance);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  byte[] snapshot() {
    return snapshot(bytes.toByteArray());
  }
}
