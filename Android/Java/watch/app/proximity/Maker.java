package app.proximity;

import android.content.Context;
import android.content.Intent;
import android.os.Build;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Makers whose phones stop applications in the background by a setting of their own, which no permission of Android changes and no
 * application can read. The sources of the screens are in docs/android.md. Each screen is tried; none is guaranteed to exist.
 */
enum Maker {
  SAMSUNG(R.string.maker_samsung, "samsung",
      "com.samsung.android.lool/com.samsung.android.sm.battery.ui.BatteryActivity",
      "com.samsung.android.lool/com.samsung.android.sm.ui.battery.BatteryActivity"),
  XIAOMI(R.string.maker_xiaomi, "xiaomi redmi poco blackshark",
      "com.miui.securitycenter/com.miui.permcenter.autostart.AutoStartManagementActivity"),
  HUAWEI(R.string.maker_huawei, "huawei honor",
      "com.huawei.systemmanager/com.huawei.systemmanager.startupmgr.ui.StartupNormalAppListActivity",
      "com.huawei.systemmanager/com.huawei.systemmanager.appcontrol.activity.StartupAppControlActivity",
      "com.huawei.systemmanager/com.huawei.systemmanager.optimize.process.ProtectActivity"),
  OPPO(R.string.maker_oppo, "oppo realme oneplus",
      "com.oplus.safecenter/com.oplus.safecenter.startupapp.StartupAppListActivity",
      "com.coloros.safecenter/com.coloros.safecenter.startupapp.StartupAppListActivity",
      "com.coloros.safecenter/com.coloros.safecenter.permission.startup.StartupAppListActivity",
      "com.oneplus.security/com.oneplus.security.chainlaunch.view.ChainLaunchAppListActivity"),
  VIVO(R.string.maker_vivo, "vivo iqoo",
      "com.vivo.permissionmanager/com.vivo.permissionmanager.activity.BgStartUpManagerActivity",
      "com.iqoo.secure/com.iqoo.secure.ui.phoneoptimize.AddWhiteListActivity"),
  ASUS(R.string.maker_asus, "asus",
      "com.asus.mobilemanager/com.asus.mobilemanager.autostart.AutoStartActivity");

  /** The number of the list of applications that never sleep, among Samsung's lists. */
  private static final int NEVER_SLEEPING = 2;

  /** The text that explains the setting and how to change it. */
  final int advice;
  private final String names;
  private final String[] screens;

  Maker(int advice, String names, String... screens) {
    this.advice = advice;
    this.names = names;
    this.screens = screens;
  }

  /** Returns the maker of this phone; null if it is none of these. */
  static Maker ofThisPhone() {
    String name = Build.MANUFACTURER == null ? "" : Build.MANUFACTURER.trim().toLowerCase(Locale.ROOT);
    for (Maker maker : values()) {
      for (String each : maker.names.split(" ")) if (name.equals(each)) return maker;
    }
    return null;
  }

  /** Returns a text, followed by the advice for this phone's maker if there is any. */
  static String withAdvice(Context context, String text) {
    Maker maker = ofThisPhone();
    return maker == null ? text : text + " " + context.getString(maker.advice);
  }

  /** Returns intents for the maker's screens with the setting, the most likely first. */
  List<Intent> intents() {
    List<Intent> intents = new ArrayList<>();
    if (this == SAMSUNG) {
      intents.add(new Intent("com.samsung.android.sm.ACTION_OPEN_CHECKABLE_LISTACTIVITY").setPackage("com.samsung.android.lool")
          .putExtra("activity_type", NEVER_SLEEPING));
    }
    for (String screen : screens) {
      int at = screen.indexOf('/');
      intents.add(new Intent().setClassName(screen.substring(0, at), screen.substring(at + 1)));
    }
    return intents;
  }
}
