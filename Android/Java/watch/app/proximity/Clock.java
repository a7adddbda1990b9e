package app.proximity;

import android.os.SystemClock;

/** The phone's two clocks. In a file of its own, so that tests can have their own time. */
final class Clock {
  private Clock() {}

  /** The clock that people set, in ms since 1970. */
  static long now() {
    return System.currentTimeMillis();
  }

  /** The clock that nobody sets, in ms since the phone was started; it goes on while the phone sleeps. */
  static long uptime() {
    return SystemClock.elapsedRealtime();
  }
}
