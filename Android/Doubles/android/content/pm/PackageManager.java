package android.content.pm;

import phone.Phone;

public class PackageManager {
  public static final int PERMISSION_GRANTED = 0;

  public boolean isAutoRevokeWhitelisted() {
    if (Phone.now().level() < 30) throw new NoSuchMethodError("isAutoRevokeWhitelisted is of 30");
    return Phone.now().isKeptUnused;
  }
}
