package app.proximity;

/**
 * The engine, in Swift: zones, alarms and the watch policy. It decides; the Java around it carries out.
 *
 * <p>The engine keeps one phone for the whole process. Only {@link Watch} tells it anything, one call at a time. The bytes
 * are described in Sources/PhoneHost.
 */
final class Engine {
  static {
    System.loadLibrary("proximity");
  }

  private Engine() {}

  /** Begins with what the files say; two empty arrays at the first start. Answers 0 or 1 (damaged files), then commands. */
  static native byte[] open(byte[] snapshot, byte[] journal);

  /** Tells one input; answers commands. */
  static native byte[] handle(byte[] input);

  /** A request of the page, and the answer to it; {@link #commands} has what is to be done because of it. */
  static native byte[] ask(byte[] request);

  /** The commands that the last request left behind. */
  static native byte[] commands();

  /** True while the alarms are on, with a zone that is on duty now or will be by its schedule: also where the phone forbids to watch. */
  static native boolean isWatching(long now_ms);

  // What only computes; from any thread.

  /** What an HTTP status of the server means, as {@link Reports} has it; 0: no answer came. */
  static native int reportOutcome(int status);

  /** Nothing is added to a file of positions that is so large. */
  static native int reportFileBytes();

  /** The most files of positions that wait. */
  static native int reportFiles();

  /** How long an alarm sounds. @param since_ms from when it last began to; negative where it was not the last to sound. */
  static native long soundLength(long since_ms, boolean isUntilClosed);

  /** How loud a sound that rises is after so long, in millionths. */
  static native int loudness(long since_ms);
}
