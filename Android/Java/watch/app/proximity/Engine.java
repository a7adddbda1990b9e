package app.proximity;

/**
 * The engine, in Swift: zones, alarms and the watch policy. It decides; the Java around it carries out.
 *
 * <p>The engine keeps one phone for the whole process. Only {@link Watch} calls it, one call at a time. The bytes are
 * described in Sources/PhoneHost.
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
}
