package app.proximity;

import android.os.SystemClock;

/** The phone's two clocks. They are in a file of their own, so that tests can replace the time. */
final class Clock {
  private Clock() {}

  /** Returns the time of the clock that people can set, in ms since 1970. */
  static long now() {
    return System.currentTimeMillis();
  }

  /** Returns the time of the clock that cannot be set, in ms since the phone was started. It continues while the phone sleeps. */
  static long uptime() {
    return SystemClock.elapsedRealtime();
  }
}
