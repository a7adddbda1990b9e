package app.proximity;

import android.Manifest;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.hardware.SensorManager;
import android.location.LocationManager;
import android.net.wifi.WifiManager;
import android.os.BatteryManager;
import android.os.Build;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** The phone's present permissions and abilities, as the engine is told them. */
final class PhoneState {
  private static final int TIMED = 1;
  private static final int FENCES = 100;
  private static final double LARGEST_FENCE_M = 100_000;
  private static final long BACKGROUND_MS = 24 * 3_600_000L;

  /** True if positions are allowed and location is on. */
  final boolean isAuthorized;
  /** True if positions are allowed. */
  final boolean isGranted;
  final boolean isPrecise;
  final boolean mayStartInBackground;
  private final boolean hasSatellites;
  private final boolean hasWifi;
  private final boolean hasMotion;
  private final int battery;

  PhoneState(Context context) {
    LocationManager locations = (LocationManager) context.getSystemService(Context.LOCATION_SERVICE);
    boolean isOn = isLocationOn(locations);
    isPrecise = grants(context, Manifest.permission.ACCESS_FINE_LOCATION);
    isGranted = isPrecise || grants(context, Manifest.permission.ACCESS_COARSE_LOCATION);
    isAuthorized = isGranted && isOn;
    mayStartInBackground = Build.VERSION.SDK_INT < 29 ? isGranted
        : grants(context, Manifest.permission.ACCESS_BACKGROUND_LOCATION);
    hasSatellites = isPrecise && isOn && locations.isProviderEnabled(LocationManager.GPS_PROVIDER);
    WifiManager wifi = (WifiManager) context.getApplicationContext().getSystemService(Context.WIFI_SERVICE);
    hasWifi = wifi != null && (wifi.isWifiEnabled() || wifi.isScanAlwaysAvailable());
    SensorManager sensors = (SensorManager) context.getSystemService(Context.SENSOR_SERVICE);
    hasMotion = MotionWatch.isPossible(sensors);
    battery = readBattery(context);
  }

  static boolean grants(Context context, String permission) {
    return context.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }

  static boolean isLocationOn(LocationManager locations) {
    if (Build.VERSION.SDK_INT >= 28) return locations.isLocationEnabled();
    return locations.isProviderEnabled(LocationManager.GPS_PROVIDER)
        || locations.isProviderEnabled(LocationManager.NETWORK_PROVIDER);
  }

  /** Returns 0 if the battery is full or charging, 1 at 15 % or less, 2 at 5 % or less. */
  private static int readBattery(Context context) {
    Intent state = battery(context);
    if (state == null || isPlugged(state)) return 0;
    int percent = percent(state);
    return percent <= 5 ? 2 : percent <= 15 ? 1 : 0;
  }

  private static boolean isPlugged(Intent state) {
    return state.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0;
  }

  static boolean isCharging(Context context) {
    Intent state = battery(context);
    return state != null && isPlugged(state);
  }

  private static Intent battery(Context context) {
    return context.registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
  }

  private static int percent(Intent state) {
    int scale = state.getIntExtra(BatteryManager.EXTRA_SCALE, 100);
    return 100 * state.getIntExtra(BatteryManager.EXTRA_LEVEL, scale) / Math.max(1, scale);
  }

  /** Returns the battery level from 0 to 100; -1 if the phone does not report it. */
  static int batteryPercent(Context context) {
    Intent state = battery(context);
    return state == null ? -1 : percent(state);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeByte(TIMED);
    // Bits 32 and 64, significant changes and visits, exist on iOS only.
    out.writeByte((isAuthorized ? 1 : 0) | (isAuthorized ? 2 : 0) | (isPrecise ? 4 : 0) | (hasSatellites ? 8 : 0)
        | (hasWifi ? 16 : 0) | (hasMotion ? 128 : 0));
    out.writeByte(battery);
    out.writeInt(FENCES);
    out.writeDouble(LARGEST_FENCE_M);
    out.writeLong(BACKGROUND_MS);
  }

  @Override public boolean equals(Object other) {
    if (!(other instanceof PhoneState)) return false;
    PhoneState state = (PhoneState) other;
    // The last two affect only the service; the engine does not need them.
    return Arrays.equals(bytes(), state.bytes()) && isGranted == state.isGranted && mayStartInBackground == state.mayStartInBackground;
  }

  @Override public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  private byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e); // Memory does not fail so.
    }
    return bytes.toByteArray();
  }
}
