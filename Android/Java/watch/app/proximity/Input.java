package app.proximity;

import android.location.Location;
import android.os.Build;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/** The phone's messages to the engine, as bytes. Each carries the times of both clocks at which it was made. */
final class Input {
  static final int PERSON = 0;
  static final int RELAUNCH = 1;
  static final int REBOOT = 2;

  static final int EXITED = 0;
  static final int ENTERED = 1;
  static final int FAILED = 2;
  static final int UNKNOWN = 5;

  static final int BY_SATELLITES = 0;
  static final int BY_NETWORK = 1;
  static final int MIXED = 2;

  static final int CLOSE = 2;
  static final int SLEEP = 3;
  static final int STOP = 5;

  /** Writes an input's own fields. */
  private interface Fields {
    void write(DataOutputStream out) throws IOException;
  }

  private Input() {}

  static byte[] started(int start, PhoneState state, Location lastKnown) {
    return of(1, out -> {
      out.writeByte(start);
      state.write(out);
      out.writeByte(lastKnown == null ? 0 : 1);
      if (lastKnown != null) write(out, lastKnown);
    });
  }

  /** @param ofRequest whether the positions answer a single request rather than a session. */
  static byte[] positions(List<Location> positions, boolean ofRequest) {
    return of(3, out -> {
      out.writeByte(ofRequest ? 1 : 0);
      out.writeInt(positions.size());
      for (Location position : positions) write(out, position);
    });
  }

  static byte[] requestFailed() {
    return of(4, out -> {});
  }

  static byte[] fence(long id, int what) {
    return of(5, out -> {
      out.writeLong(id);
      out.writeByte(what);
    });
  }

  /** @param since_ms the time of the change in ms since 1970; -1 if it is unknown. */
  static byte[] motion(int motion, long since_ms) {
    return of(7, out -> {
      out.writeByte(motion);
      out.writeLong(since_ms);
    });
  }

  /** All positions from now on have this source. */
  static byte[] source(int source) {
    return of(19, out -> out.writeByte(source));
  }

  /** @param percent 0 to 100. */
  static byte[] battery(int percent, boolean isCharging) {
    return of(20, out -> {
      out.writeDouble(percent / 100.0);
      out.writeByte(isCharging ? 1 : 0);
    });
  }

  static byte[] woke() {
    return of(8, out -> {});
  }

  static byte[] capabilities(PhoneState state) {
    return of(9, state::write);
  }

  static byte[] foreground(boolean isVisible) {
    return of(isVisible ? 10 : 11, out -> {});
  }

  static byte[] command(int command, long alarm) {
    return of(13, out -> {
      out.writeByte(command);
      out.writeLong(alarm);
      out.writeLong(0);
    });
  }

  /** All events up to this number were shown and sounded. */
  static byte[] told(long number) {
    return of(14, out -> out.writeLong(number));
  }

  /** True if positions go to a server. */
  static byte[] reporting(boolean isOn) {
    return of(16, out -> out.writeByte(isOn ? 1 : 0));
  }

  /** The outcome of sending positions: see {@link Reports}. */
  static byte[] reported(int outcome) {
    return of(17, out -> out.writeByte(outcome));
  }

  /** Something could not be written. The engine writes all of its state with the next input. */
  static byte[] notKept() {
    return of(18, out -> {});
  }

  private static byte[] of(int kind, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeLong(Clock.now());
      out.writeLong(Clock.uptime());
      out.writeByte(kind);
      fields.write(out);
    } catch (IOException e) {
      throw new AssertionError(e); // Memory does not fail so.
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Location position) throws IOException {
    // The age is measured by the clock that cannot be set: satellite time and the phone's time may differ by minutes.
    long age = Math.max(0, Clock.uptime() - position.getElapsedRealtimeNanos() / 1_000_000);
    out.writeDouble(position.getLatitude());
    out.writeDouble(position.getLongitude());
    out.writeDouble(position.hasAccuracy() ? position.getAccuracy() : -1);
    out.writeLong(Clock.now() - age);
    out.writeLong(Clock.now());
    out.writeDouble(position.hasSpeed() ? position.getSpeed() : -1);
    out.writeDouble(position.hasBearing() ? position.getBearing() : -1);
    writeHeight(out, position);
  }

  /** Writes one bit each for whether the height is known, has an error, and is above sea level; then both numbers. */
  private static void writeHeight(DataOutputStream out, Location position) throws IOException {
    int level = Build.VERSION.SDK_INT;
    if (level >= 34 && position.hasMslAltitude()) {
      boolean isBounded = position.hasMslAltitudeAccuracy();
      writeHeight(out, position.getMslAltitudeMeters(), isBounded ? position.getMslAltitudeAccuracyMeters() : 0, 4);
    } else if (position.hasAltitude()) {
      boolean isBounded = level >= 26 && position.hasVerticalAccuracy();
      writeHeight(out, position.getAltitude(), isBounded ? position.getVerticalAccuracyMeters() : 0, 0);
    } else {
      writeHeight(out, Double.NaN, 0, 0);
    }
  }

  private static void writeHeight(DataOutputStream out, double height_m, double error_m, int overSea) throws IOException {
    boolean isKnown = height_m > -1e9 && height_m < 1e9; // Nor is it a number at all on every phone.
    boolean isBounded = isKnown && error_m > 0 && error_m < 1e9;
    out.writeByte(isKnown ? 1 + (isBounded ? 2 : 0) + overSea : 0);
    out.writeDouble(isKnown ? height_m : 0);
    out.writeDouble(isBounded ? error_m : 0);
  }
}
