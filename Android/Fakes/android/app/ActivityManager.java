package android.app;

import phone.Phone;

public class ActivityManager {
  public boolean isBackgroundRestricted() {
    if (Phone.now().level() < 28) throw new NoSuchMethodError("isBackgroundRestricted is of 28");
    return Phone.now().isRestricted;
  }
}
