package android.location;

public class Location {
  private final String provider;
  private double latitude;
  private double longitude;
  private float accuracy_m;
  private long time_ms;
  private long elapsed_ns;
  public float speed_mps = -1;
  public float course_deg = -1;

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

  public long getTime() {
    return time_ms;
  }

  public long getElapsedRealtimeNanos() {
    return elapsed_ns;
  }
}
