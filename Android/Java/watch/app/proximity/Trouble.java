package app.proximity;

import android.app.ActivityManager;
import android.app.AlarmManager;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.content.Context;
import android.location.LocationManager;
import android.media.AudioManager;
import android.os.Build;
import android.os.PowerManager;
import java.util.EnumSet;

/** Conditions that keep the alarm clock from watching or from being heard. Each is shown at once while something is watched. */
enum Trouble {
  LOCATION_OFF(R.string.trouble_location_off, R.string.trouble_location_off_text, "location"),
  LOCATION_DENIED(R.string.trouble_denied, R.string.trouble_denied_text, "app"),
  IMPRECISE(R.string.trouble_imprecise, R.string.trouble_imprecise_text, "app"),
  NO_BACKGROUND(R.string.trouble_background, R.string.trouble_background_text, "app"),
  NOTIFICATIONS_OFF(R.string.trouble_notifications, R.string.trouble_notifications_text, "notifications"),
  SAVER(R.string.trouble_saver, R.string.trouble_saver_text, "saver"),
  OPTIMISED(R.string.trouble_optimised, R.string.trouble_optimised_text, "battery"),
  RESTRICTED(R.string.trouble_restricted, R.string.trouble_restricted_text, "app"),
  UNUSED(R.string.trouble_unused, R.string.trouble_unused_text, "unused"),
  INEXACT(R.string.trouble_inexact, R.string.trouble_inexact_text, "exact"),
  NO_FULL_SCREEN(R.string.trouble_full_screen, R.string.trouble_full_screen_text, "fullScreen"),
  VOLUME_ZERO(R.string.trouble_volume, R.string.trouble_volume_text, "sound"),
  TOTAL_SILENCE(R.string.trouble_silence, R.string.trouble_silence_text, "sound"),
  WIFI_OFF(R.string.trouble_wifi, R.string.trouble_wifi_text, "wifi"),
  CANNOT_LOCATE(R.string.trouble_locate, R.string.trouble_locate_text, "location"),
  STORAGE_FULL(R.string.trouble_storage, R.string.trouble_storage_text, "app"),
  DAMAGED(R.string.trouble_damaged, R.string.trouble_damaged_text, "app"),
  STOPPED(R.string.trouble_stopped, R.string.trouble_stopped_text, "app");

  /** The troubles that are read from the phone. The others are events, and end when a person has seen them. */
  static final EnumSet<Trouble> READ = EnumSet.range(LOCATION_OFF, TOTAL_SILENCE);
  /** The troubles in {@link #READ} that end when a person grants what the page asks for. */
  static final EnumSet<Trouble> ASKED =
      EnumSet.of(LOCATION_DENIED, IMPRECISE, NO_BACKGROUND, NOTIFICATIONS_OFF, OPTIMISED, UNUSED);

  /** The troubles that a maker's own battery management can cause as well. */
  private static final EnumSet<Trouble> BATTERY = EnumSet.of(SAVER, OPTIMISED, RESTRICTED, UNUSED, STOPPED);

  final int title;
  private final int text;
  /** The screen where the trouble is resolved, by its name in {@link Permissions#open}. */
  final String place;

  Trouble(int title, int text, String place) {
    this.title = title;
    this.text = text;
    this.place = place;
  }

  /** Returns the instructions to resolve the trouble on this phone. */
  String words(Context context) {
    String words = context.getString(text);
    return BATTERY.contains(this) ? Maker.withAdvice(context, words) : words;
  }

  /** Returns the present troubles. */
  static EnumSet<Trouble> read(Context context) {
    EnumSet<Trouble> found = EnumSet.noneOf(Trouble.class);
    PhoneState state = new PhoneState(context);
    LocationManager locations = (LocationManager) context.getSystemService(Context.LOCATION_SERVICE);
    if (!state.isGranted) found.add(LOCATION_DENIED);
    if (state.isGranted && !state.isPrecise) found.add(IMPRECISE);
    if (!PhoneState.isLocationOn(locations)) found.add(LOCATION_OFF);
    if (state.isGranted && !state.mayStartInBackground) found.add(NO_BACKGROUND);
    NotificationManager notices = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    if (isSilenced(notices)) found.add(NOTIFICATIONS_OFF);
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    if (savesLocation(power)) found.add(SAVER);
    if (isOptimised(context)) found.add(OPTIMISED);
    ActivityManager activities = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
    if (Build.VERSION.SDK_INT >= 28 && activities.isBackgroundRestricted()) found.add(RESTRICTED);
    if (mayBeUnused(context)) found.add(UNUSED);
    AlarmManager alarms = (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
    if (Build.VERSION.SDK_INT >= 31 && !Newer.ask(alarms, "canScheduleExactAlarms", true)) found.add(INEXACT);
    if (Build.VERSION.SDK_INT >= 34 && !Newer.ask(notices, "canUseFullScreenIntent", true)) found.add(NO_FULL_SCREEN);
    AudioManager audio = (AudioManager) context.getSystemService(Context.AUDIO_SERVICE);
    if (audio.getStreamVolume(AudioManager.STREAM_ALARM) == 0) found.add(VOLUME_ZERO);
    if (notices.getCurrentInterruptionFilter() == NotificationManager.INTERRUPTION_FILTER_NONE) found.add(TOTAL_SILENCE);
    return found;
  }

  static boolean isOptimised(Context context) {
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    return !power.isIgnoringBatteryOptimizations(context.getPackageName());
  }

  /** True if Android withdraws the permissions if the application is not opened for months, and from 12 on also stops it. */
  static boolean mayBeUnused(Context context) {
    return Build.VERSION.SDK_INT >= 30 && !context.getPackageManager().isAutoRevokeWhitelisted();
  }

  private static boolean isSilenced(NotificationManager notices) {
    if (!notices.areNotificationsEnabled()) return true;
    if (Build.VERSION.SDK_INT < 26) return false;
    NotificationChannel alarms = notices.getNotificationChannel(Notices.ALARM);
    return alarms != null && alarms.getImportance() == NotificationManager.IMPORTANCE_NONE;
  }

  /** True if the battery saver stops positions while the screen is off. */
  private static boolean savesLocation(PowerManager power) {
    if (!power.isPowerSaveMode()) return false;
    if (Build.VERSION.SDK_INT < 28) return true;
    int mode = power.getLocationPowerSaveMode();
    // An application continues in the mode FOREGROUND_ONLY while its service is in the foreground.
    return mode == PowerManager.LOCATION_MODE_GPS_DISABLED_WHEN_SCREEN_OFF
        || mode == PowerManager.LOCATION_MODE_ALL_DISABLED_WHEN_SCREEN_OFF
        || mode == PowerManager.LOCATION_MODE_THROTTLE_REQUESTS_WHEN_SCREEN_OFF;
  }
}
