package android.os;

/** A thread's queue. All queues are one here: {@link phone.Phone} runs them in the order of time. */
public final class Looper {
  private static final Looper MAIN = new Looper();

  public static Looper getMainLooper() {
    return MAIN;
  }
}
