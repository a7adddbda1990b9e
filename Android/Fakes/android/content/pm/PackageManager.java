package android.content.pm;

import phone.Phone;

public class PackageManager {
  public static final int PERMISSION_GRANTED = 0;

  public PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException {
    if (!name.equals("app.proximity")) throw new NameNotFoundException();
    PackageInfo info = new PackageInfo();
    info.versionName = "1.2.3";
    return info;
  }

  public static class NameNotFoundException extends android.util.AndroidException {}

  public boolean isAutoRevokeWhitelisted() {
    if (Phone.now().level() < 30) throw new NoSuchMethodError("isAutoRevokeWhitelisted is of 30");
    return Phone.now().isKeptUnused;
  }
}
