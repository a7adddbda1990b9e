package app.proximity;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.hardware.TriggerEvent;
import android.hardware.TriggerEventListener;

/**
 * Tells the engine that the phone rests or moves, as far as the phone's hardware says it.
 *
 * <p>That a person walks is not told: steps say nothing about the bus that was boarded since.
 */
final class MotionWatch {
  static final int MOVING = 0;
  static final int STILL = 1;

  private final Watch watch;
  private final SensorManager sensors;
  private boolean isOn;
  private int last = -1;
  private final TriggerEventListener stillness = new Trigger(STILL);
  private final TriggerEventListener movement = new Trigger(MOVING);
  private final TriggerEventListener departure = new Trigger(MOVING);

  MotionWatch(Watch watch) {
    this.watch = watch;
    sensors = (SensorManager) watch.context.getSystemService(Context.SENSOR_SERVICE);
  }

  /** Rest is told only where its end is told, too, and by sensors that wake the phone. */
  static boolean isPossible(SensorManager sensors) {
    return sensors != null && sensor(sensors, Sensor.TYPE_STATIONARY_DETECT) != null
        && sensor(sensors, Sensor.TYPE_MOTION_DETECT) != null
        && sensor(sensors, Sensor.TYPE_SIGNIFICANT_MOTION) != null;
  }

  private static Sensor sensor(SensorManager sensors, int type) {
    return sensors.getDefaultSensor(type, true);
  }

  boolean isOn() {
    return isOn;
  }

  void set(boolean wanted) {
    if (wanted == isOn || !isPossible(sensors)) return;
    isOn = wanted;
    last = -1;
    if (!wanted) {
      sensors.cancelTriggerSensor(stillness, sensor(sensors, Sensor.TYPE_STATIONARY_DETECT));
      sensors.cancelTriggerSensor(movement, sensor(sensors, Sensor.TYPE_MOTION_DETECT));
      sensors.cancelTriggerSensor(departure, sensor(sensors, Sensor.TYPE_SIGNIFICANT_MOTION));
      return;
    }
    arm();
  }

  /** A trigger sensor speaks once; each is laid anew after any has spoken. */
  private void arm() {
    if (last != STILL) sensors.requestTriggerSensor(stillness, sensor(sensors, Sensor.TYPE_STATIONARY_DETECT));
    sensors.requestTriggerSensor(movement, sensor(sensors, Sensor.TYPE_MOTION_DETECT));
    sensors.requestTriggerSensor(departure, sensor(sensors, Sensor.TYPE_SIGNIFICANT_MOTION));
  }

  private void told(int motion) {
    if (!isOn) return;
    boolean isNews = motion != last;
    last = motion;
    if (isNews) watch.tell(Input.motion(motion));
    arm();
  }

  /** Sensors speak on the main thread here; the engine is told on the watch's. */
  private final class Trigger extends TriggerEventListener {
    private final int motion;

    Trigger(int motion) {
      this.motion = motion;
    }

    @Override public void onTrigger(TriggerEvent event) {
      watch.handler.post(() -> told(motion));
    }
  }
}
