package app.proximity;

import phone.Phone;

/** The clocks of the double, which stand still between events. */
final class Clock {
  private Clock() {}

  static long now() {
    return Phone.now().wall_ms;
  }

  static long uptime() {
    return Phone.now().uptime_ms;
  }
}
