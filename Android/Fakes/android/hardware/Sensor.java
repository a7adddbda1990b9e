package android.hardware;

public final class Sensor {
  public static final int TYPE_SIGNIFICANT_MOTION = 17;
  public static final int TYPE_STATIONARY_DETECT = 29;
  public static final int TYPE_MOTION_DETECT = 30;

  public final int type;

  Sensor(int type) {
    this.type = type;
  }
}
