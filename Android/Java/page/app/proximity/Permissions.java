package app.proximity;

import android.Manifest;
import android.app.Activity;
import android.app.AlertDialog;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.provider.Settings;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The application's permissions. Each is requested by itself, after an explanation. */
final class Permissions {
  private static final int LOCATION = 1;
  private static final int BACKGROUND = 2;
  private static final int NOTIFICATIONS = 3;

  private final Activity activity;
  /** True if Android may not have shown its dialog: it gave no reason to explain before the request. */
  private boolean isPerhapsSilent;

  Permissions(Activity activity) {
    this.activity = activity;
  }

  /** Returns the permissions and all troubles, as JSON for the page. From any thread. */
  static String read(Activity activity) {
    return object(activity).toString();
  }

  static JSONObject object(Activity activity) {
    PhoneState state = new PhoneState(activity);
    JSONArray troubles = new JSONArray();
    for (Trouble trouble : Trouble.read(activity)) {
      troubles.put(json("trouble", trouble.name(), "place", trouble.place,
          "title", activity.getString(trouble.title), "text", trouble.words(activity)));
    }
    boolean mayNotify = Build.VERSION.SDK_INT < 33 || PhoneState.grants(activity, Newer.POST_NOTIFICATIONS);
    JSONObject permissions = json("android", Build.VERSION.SDK_INT, "location", state.isGranted, "precise", state.isPrecise,
        "background", state.mayStartInBackground, "notifications", mayNotify, "watching", WatchService.isLocating(),
        "battery", !Trouble.isOptimised(activity), "unused", !Trouble.mayBeUnused(activity), "troubles", troubles);
    Maker maker = Maker.ofThisPhone();
    if (maker == null) return permissions;
    try {
      permissions.put("maker", json("title", activity.getString(R.string.maker), "text", activity.getString(maker.advice)));
    } catch (JSONException e) {
      throw new IllegalArgumentException(e);
    }
    return permissions;
  }

  static JSONObject json(Object... pairs) {
    JSONObject object = new JSONObject();
    try {
      for (int i = 0; i < pairs.length; i += 2) object.put((String) pairs[i], pairs[i + 1]);
    } catch (JSONException e) {
      throw new IllegalArgumentException(e);
    }
    return object;
  }

  /** Asks for "location", then "background" as a second step, "notifications", "battery" or "unused". On the main thread. */
  void request(String what) {
    switch (what) {
      case "location":
        explain(R.string.reason_location, () -> ask(LOCATION,
            Manifest.permission.ACCESS_FINE_LOCATION, Manifest.permission.ACCESS_COARSE_LOCATION));
        break;
      case "background":
        if (Build.VERSION.SDK_INT < 29) return; // Granted with the first step.
        explain(R.string.reason_background, () -> ask(BACKGROUND, Manifest.permission.ACCESS_BACKGROUND_LOCATION));
        break;
      case "notifications":
        if (Build.VERSION.SDK_INT < 33) open(what);
        else explain(R.string.reason_notifications, () -> ask(NOTIFICATIONS, Newer.POST_NOTIFICATIONS));
        break;
      case "battery":
        explain(R.string.reason_battery, () -> open(what));
        break;
      case "unused":
        explain(R.string.reason_unused, () -> open(what));
        break;
      default: open(what);
    }
  }

  private void ask(int number, String... names) {
    isPerhapsSilent = !activity.shouldShowRequestPermissionRationale(names[0]);
    activity.requestPermissions(names, number);
  }

  /** Offers the settings after a second refusal, since Android then no longer asks. On the main thread. */
  void answered(int number, String[] names, int[] results) {
    boolean isSilent = isPerhapsSilent;
    isPerhapsSilent = false;
    // Without names the dialog was dismissed before it was answered.
    if (!isSilent || names.length == 0 || results[0] == PackageManager.PERMISSION_GRANTED) return;
    if (activity.shouldShowRequestPermissionRationale(names[0])) return; // Refused for the first time.
    explain(R.string.reason_settings, () -> open(number == NOTIFICATIONS ? "notifications" : "app"));
  }

  private void explain(int reason, Runnable then) {
    new AlertDialog.Builder(activity).setMessage(reason)
        .setPositiveButton(R.string.go_on, (dialog, which) -> then.run())
        .setNegativeButton(R.string.not_now, null).show();
  }

  /** Opens the settings for a permission or trouble; the application's own settings if this phone has no such screen. */
  void open(String what) {
    Uri own = Uri.fromParts("package", activity.getPackageName(), null);
    Intent application = new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, own);
    Intent wanted = application;
    switch (what) {
      case "maker":
        openMaker(application);
        return;
      case "location": wanted = new Intent(Settings.ACTION_LOCATION_SOURCE_SETTINGS); break;
      case "notifications":
        if (Build.VERSION.SDK_INT >= 26) {
          wanted = new Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS)
              .putExtra(Settings.EXTRA_APP_PACKAGE, activity.getPackageName());
        }
        break;
      case "battery": wanted = new Intent(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, own); break;
      case "saver": wanted = new Intent(Settings.ACTION_BATTERY_SAVER_SETTINGS); break;
      case "unused":
        // From Android 12 on, the switch is in the application's own settings.
        if (Build.VERSION.SDK_INT == 30) wanted = new Intent(Newer.UNUSED_SETTINGS, own);
        break;
      case "exact": wanted = new Intent(Newer.EXACT_SETTINGS, own); break;
      case "fullScreen": wanted = new Intent(Newer.FULL_SCREEN_SETTINGS, own); break;
      case "sound": wanted = new Intent(Settings.ACTION_SOUND_SETTINGS); break;
      case "wifi": wanted = new Intent(Settings.ACTION_WIFI_SETTINGS); break;
      default: break;
    }
    if (!opens(wanted)) opens(application);
  }

  /** Opens the maker's own screen; the application's settings if that screen is gone or not accessible. */
  private void openMaker(Intent application) {
    Maker maker = Maker.ofThisPhone();
    if (maker != null) {
      for (Intent each : maker.intents()) if (opens(each)) return;
    }
    opens(application);
  }

  private boolean opens(Intent wanted) {
    try {
      activity.startActivity(wanted);
      return true;
    } catch (ActivityNotFoundException | SecurityException e) {
      return false;
    }
  }
}
