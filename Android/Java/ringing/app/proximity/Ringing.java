package app.proximity;

/** One ringing alarm, as the engine lists it. */
final class Ringing {
  final long alarm;
  final long zone;
  final int cause;
  final long began_ms;
  /** True if a person closed it. It then repeats, but is no longer shown. */
  final boolean isClosed;
  final String zoneName;
  final String soundName;

  Ringing(long alarm, long zone, int cause, long began_ms, boolean isClosed, String zoneName, String soundName) {
    this.alarm = alarm;
    this.zone = zone;
    this.cause = cause;
    this.began_ms = began_ms;
    this.isClosed = isClosed;
    this.zoneName = zoneName;
    this.soundName = soundName;
  }
}
