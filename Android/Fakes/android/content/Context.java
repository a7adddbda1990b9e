package android.content;

import android.content.pm.PackageManager;
import android.content.res.AssetManager;
import android.os.Handler;
import android.os.Vibrator;
import java.io.File;
import phone.Phone;

public class Context {
  public Context getApplicationContext() {
    return Phone.now().application;
  }

  public String getPackageName() {
    return "app.proximity";
  }

  public File getFilesDir() {
    // The message of the system's own preferences.
    if (!Phone.now().isUnlocked) throw new IllegalStateException("credential encrypted storage is not available until the user is unlocked");
    return Phone.now().files;
  }

  public File getCacheDir() {
    File folder = new File(Phone.now().files, "cache");
    folder.mkdirs();
    return folder;
  }

  public ContentResolver getContentResolver() {
    return new ContentResolver();
  }

  public Context createDeviceProtectedStorageContext() {
    return new ContextWrapper(this) {
      @Override public File getFilesDir() {
        File folder = new File(Phone.now().files, "device_protected");
        folder.mkdirs();
        return folder;
      }
    };
  }

  public AssetManager getAssets() {
    return new AssetManager();
  }

  public final String getString(int id) {
    return Phone.now().manifest.words(id);
  }

  public final String getString(int id, Object... more) {
    return String.format(getString(id), more);
  }

  public int checkSelfPermission(String name) {
    return Phone.now().granted.contains(name) ? PackageManager.PERMISSION_GRANTED : -1;
  }

  public PackageManager getPackageManager() {
    return new PackageManager();
  }

  public Object getSystemService(String name) {
    switch (name) {
      case "location": return new android.location.LocationManager();
      case "alarm": return new android.app.AlarmManager();
      case "power": return new android.os.PowerManager();
      case "notification": return new android.app.NotificationManager();
      case "audio": return new android.media.AudioManager();
      case "vibrator": return new Vibrator();
      case "sensor": return new android.hardware.SensorManager();
      case "activity": return new android.app.ActivityManager();
      case "user": return new android.os.UserManager();
      case "wifi": return new android.net.wifi.WifiManager();
      default: throw new AssertionError("there is no fake of " + name);
    }
  }

  public ComponentName startService(Intent intent) {
    Phone.now().start(this, intent, false);
    return null;
  }

  public ComponentName startForegroundService(Intent intent) {
    if (Phone.now().level() < 26) throw new NoSuchMethodError("startForegroundService is of 26");
    Phone.now().start(this, intent, true);
    return null;
  }

  public boolean stopService(Intent intent) {
    Phone.now().stopService();
    return true;
  }

  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
    if (receiver != null || !filter.hasAction("android.intent.action.BATTERY_CHANGED")) throw new AssertionError();
    return new Intent().putExtra("level", Phone.now().batteryPercent).putExtra("scale", 100);
  }

  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission, Handler handler) {
    Phone.Registered registered = new Phone.Registered();
    registered.receiver = receiver;
    registered.filter = filter;
    registered.handler = handler;
    Phone.now().receivers.add(registered);
    return null;
  }
}
