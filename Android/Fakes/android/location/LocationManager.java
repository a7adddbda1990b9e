package android.location;

import android.app.PendingIntent;
import android.os.Looper;
import java.util.ArrayList;
import java.util.List;
import phone.Phone;

public class LocationManager {
  private final Phone phone = Phone.now();

  public List<String> getAllProviders() {
    return new ArrayList<>(phone.providers);
  }

  public List<String> getProviders(boolean isEnabled) {
    return phone.isLocationOn ? getAllProviders() : new ArrayList<>();
  }

  public boolean isProviderEnabled(String provider) {
    return phone.isLocationOn && phone.providers.contains(provider);
  }

  public boolean isLocationEnabled() {
    if (phone.level() < 28) throw new NoSuchMethodError("isLocationEnabled is of 28");
    return phone.isLocationOn;
  }

  private void check(String provider) {
    boolean isFine = phone.granted.contains("android.permission.ACCESS_FINE_LOCATION");
    boolean isCoarse = isFine || phone.granted.contains("android.permission.ACCESS_COARSE_LOCATION");
    // From Android 12 on, the GPS provider gives coarse positions to applications with only the coarse permission.
    boolean may = provider.equals("gps") && phone.level() < 31 ? isFine : isCoarse;
    if (!may) throw new SecurityException(provider + " requires a location permission");
  }

  public Location getLastKnownLocation(String provider) {
    check(provider);
    return phone.last;
  }

  public void requestLocationUpdates(
      String provider, long interval_ms, float filter_m, LocationListener listener, Looper looper) {
    if (!phone.providers.contains(provider)) throw new IllegalArgumentException("no such provider: " + provider);
    check(provider);
    phone.listening.removeIf(each -> each.listener == listener && each.provider.equals(provider));
    Phone.Listening listening = new Phone.Listening();
    listening.provider = provider;
    listening.interval_ms = interval_ms;
    listening.filter_m = filter_m;
    listening.listener = listener;
    phone.listening.add(listening);
  }

  public void removeUpdates(LocationListener listener) {
    phone.listening.removeIf(each -> each.listener == listener);
  }

  public void addProximityAlert(double latitude, double longitude, float radius_m, long expiry, PendingIntent intent) {
    check("gps");
    if (!intent.isMutable) throw new AssertionError("the system cannot say whether the circle was entered");
    phone.proximity.put(intent, new double[] {latitude, longitude, radius_m});
  }

  public void removeProximityAlert(PendingIntent intent) {
    phone.proximity.remove(intent);
  }
}
