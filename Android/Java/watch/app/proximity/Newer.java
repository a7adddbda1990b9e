package app.proximity;

/** Constants and methods of Android versions newer than the one that this is compiled against. */
final class Newer {
  /** LocationManager.FUSED_PROVIDER (31). */
  static final String FUSED = "fused";
  /** Manifest.permission.POST_NOTIFICATIONS (33). */
  static final String POST_NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS";
  /** Intent.ACTION_AUTO_REVOKE_PERMISSIONS (30). */
  static final String UNUSED_SETTINGS = "android.intent.action.AUTO_REVOKE_PERMISSIONS";
  /** PendingIntent.FLAG_MUTABLE (31). */
  static final int MUTABLE = 0x02000000;
  /** Settings.ACTION_REQUEST_SCHEDULE_EXACT_ALARM (31). */
  static final String EXACT_SETTINGS = "android.settings.REQUEST_SCHEDULE_EXACT_ALARM";
  /** Settings.ACTION_MANAGE_APP_USE_FULL_SCREEN_INTENT (34). */
  static final String FULL_SCREEN_SETTINGS = "android.settings.MANAGE_APP_USE_FULL_SCREEN_INTENT";
  /** AlarmManager.ACTION_SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED (31). */
  static final String EXACT_CHANGED = "android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED";

  /** ServiceInfo.FOREGROUND_SERVICE_TYPE_SYSTEM_EXEMPTED (34). */
  static final int SYSTEM_EXEMPTED = 0x400;

  private Newer() {}

  /** Returns the result of a method without arguments if this Android has it, otherwise the given value. */
  static boolean ask(Object of, String method, boolean otherwise) {
    try {
      return (Boolean) of.getClass().getMethod(method).invoke(of);
    } catch (ReflectiveOperationException e) {
      return otherwise;
    }
  }
}
