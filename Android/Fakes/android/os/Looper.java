package android.os;

/** A thread's message queue. The double has one queue for all threads: {@link phone.Phone} runs it in the order of time. */
public final class Looper {
  private static final Looper MAIN = new Looper();

  public static Looper getMainLooper() {
    return MAIN;
  }
}
