package android.hardware;

public final class Sensor {
  public final int type;

  Sensor(int type) {
    this.type = type;
  }
}
