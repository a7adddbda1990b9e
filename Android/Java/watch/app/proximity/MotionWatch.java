package app.proximity;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.hardware.TriggerEvent;
import android.hardware.TriggerEventListener;

/**
 * Tells the engine whether the phone rests or moves, as far as its hardware detects that.
 *
 * <p>Walking is not reported: steps do not show whether the person has boarded a bus since.
 */
final class MotionWatch {
  static final int MOVING = 0;
  static final int STILL = 1;
  /** No sensor reports an event later. */
  private static final long LONGEST_DELAY_MS = 3_600_000;

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

  /** True if the phone's sensors wake it and report both the beginning and the end of rest. Only then is rest reported. */
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

  /** Requests the sensors. A trigger sensor fires only once, so each is requested again after any has fired. */
  private void arm() {
    if (last != STILL) sensors.requestTriggerSensor(stillness, sensor(sensors, Sensor.TYPE_STATIONARY_DETECT));
    sensors.requestTriggerSensor(movement, sensor(sensors, Sensor.TYPE_MOTION_DETECT));
    sensors.requestTriggerSensor(departure, sensor(sensors, Sensor.TYPE_SIGNIFICANT_MOTION));
  }

  /** Returns the time of an event in ms since 1970; -1 if the sensor's clock is not the phone's, as on some phones. */
  private static long time(TriggerEvent event) {
    long age_ms = Clock.uptime() - event.timestamp / 1_000_000;
    return age_ms >= 0 && age_ms <= LONGEST_DELAY_MS ? Clock.now() - age_ms : -1;
  }

  private void told(int motion, long since_ms) {
    if (!isOn) return;
    boolean isNews = motion != last;
    last = motion;
    if (isNews) watch.tell(Input.motion(motion, since_ms));
    arm();
  }

  /** The sensors call on the main thread; the engine is told on the watch's thread. */
  private final class Trigger extends TriggerEventListener {
    private final int motion;

    Trigger(int motion) {
      this.motion = motion;
    }

    @Override public void onTrigger(TriggerEvent event) {
      long since_ms = time(event);
      watch.handler.post(() -> told(motion, since_ms));
    }
  }
}
