package android.location;

import phone.Phone;

public class Location {
  private final String provider;
  private double latitude;
  private double longitude;
  private float accuracy_m;
  private long time_ms;
  private long elapsed_ns;
  public float speed_mps = -1;
  public float course_deg = -1;
  /** Heights above the ellipsoid and above sea level, NaN if unknown, and their errors, 0 if not stated. */
  public double height_m = Double.NaN;
  public float heightError_m;
  public double seaHeight_m = Double.NaN;
  public float seaHeightError_m;

  public Location(String provider) {
    this.provider = provider;
  }

  public void set(double latitude, double longitude, float accuracy_m, long time_ms, long elapsed_ns) {
    this.latitude = latitude;
    this.longitude = longitude;
    this.accuracy_m = accuracy_m;
    this.time_ms = time_ms;
    this.elapsed_ns = elapsed_ns;
  }

  public String getProvider() {
    return provider;
  }

  public double getLatitude() {
    return latitude;
  }

  public double getLongitude() {
    return longitude;
  }

  public boolean hasAccuracy() {
    return accuracy_m >= 0;
  }

  public float getAccuracy() {
    return Math.max(0, accuracy_m);
  }

  public boolean hasSpeed() {
    return speed_mps >= 0;
  }

  public float getSpeed() {
    return speed_mps;
  }

  public boolean hasBearing() {
    return course_deg >= 0;
  }

  public float getBearing() {
    return course_deg;
  }

  public boolean hasAltitude() {
    return !Double.isNaN(height_m);
  }

  public double getAltitude() {
    return height_m;
  }

  public boolean hasVerticalAccuracy() {
    since(26);
    return heightError_m > 0;
  }

  public float getVerticalAccuracyMeters() {
    since(26);
    return heightError_m;
  }

  public boolean hasMslAltitude() {
    since(34);
    return !Double.isNaN(seaHeight_m);
  }

  public double getMslAltitudeMeters() {
    since(34);
    return seaHeight_m;
  }

  public boolean hasMslAltitudeAccuracy() {
    since(34);
    return seaHeightError_m > 0;
  }

  public float getMslAltitudeAccuracyMeters() {
    since(34);
    return seaHeightError_m;
  }

  private static void since(int level) {
    if (Phone.now().level() < level) throw new NoSuchMethodError("heights of " + level);
  }

  public long getTime() {
    return time_ms;
  }

  public long getElapsedRealtimeNanos() {
    return elapsed_ns;
  }
}
