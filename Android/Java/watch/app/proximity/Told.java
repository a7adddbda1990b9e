package app.proximity;

/** One event of which the engine wants to notify the person. */
final class Told {
  static final int ALARM = 0;
  static final int REPEAT = 1;
  static final int CLEARED = 2;
  static final int MISSED_SIGNAL = 3;
  static final int PERHAPS = 4;
  static final int NOTICE = 5;
  static final int PROPOSAL = 6;
  /** A list entry, at one of its places. */
  static final int REMINDER = 8;

  long number;
  int what;
  long alarm;
  long zone;
  int cause;
  long time_ms;
  double distance_m;
  String zoneName;
  String soundName;
  String body;
}
