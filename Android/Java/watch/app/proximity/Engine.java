package app.proximity;

/**
 * The engine, in Swift: zones, alarms and the watch policy. It makes all decisions; the Java code carries them out.
 *
 * <p>The engine holds the state of one phone for the whole process. Only {@link Watch} passes inputs to it, one call at a time. The bytes
 * are described in Sources/PhoneHost.
 */
final class Engine {
  static {
    System.loadLibrary("proximity");
  }

  private Engine() {}

  /**
   * Starts with the contents of the files; two empty arrays at the first start. Returns 0, or 1 for damaged files, then commands. If the
   * snapshot is lost or unreadable, starts with an empty one and {@link WatchFiles#history()}.
   */
  static native byte[] open(byte[] snapshot, byte[] journal);

  /** Handles one input and returns commands. */
  static native byte[] handle(byte[] input);

  /** Answers a request of the page; {@link #commands} returns the commands that follow from it. */
  static native byte[] ask(byte[] request);

  /** Returns the commands that the last request left. */
  static native byte[] commands();

  /** True while the alarms are on and a zone is on duty now, or will be by its schedule, even if the phone forbids watching. */
  static native boolean isWatching(long now_ms);

  // Pure functions, callable from any thread.

  /** Returns the outcome for an HTTP status of the server, as in {@link Reports}; 0 means that no answer came. */
  static native int reportOutcome(int status);

  /** Returns the size from which nothing more is added to a file of positions. */
  static native int reportFileBytes();

  /** Returns the most files of positions that may wait. */
  static native int reportFiles();

  /**
   * Returns how long an alarm sounds, in ms.
   *
   * @param since_ms the time since it last began to sound; negative if it was not the last to sound
   */
  static native long soundLength(long since_ms, boolean isUntilClosed);

  /** Returns the volume of a rising sound after this time, in millionths. */
  static native int loudness(long since_ms);

  /**
   * Returns the journal with its places moved by chance and without a person's words. Takes about as long as a replay.
   *
   * @throws IllegalArgumentException if nothing of the journal can be read
   */
  static native byte[] moved(byte[] journal);
}
