package android.os;

import phone.Phone;

public class Handler {
  private final Looper looper;

  public Handler(Looper looper) {
    this.looper = looper;
  }

  public final Looper getLooper() {
    return looper;
  }

  public final boolean post(Runnable action) {
    Phone.now().post(this, action, 0);
    return true;
  }

  public final boolean postDelayed(Runnable action, long delay_ms) {
    Phone.now().post(this, action, delay_ms);
    return true;
  }

  public final void removeCallbacks(Runnable action) {
    Phone.now().remove(this, action);
  }
}
