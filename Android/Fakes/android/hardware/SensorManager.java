package android.hardware;

import phone.Phone;

public class SensorManager {
  public Sensor getDefaultSensor(int type, boolean wakesUp) {
    return Phone.now().hasMotionSensors && wakesUp ? new Sensor(type) : null;
  }

  public boolean requestTriggerSensor(TriggerEventListener listener, Sensor sensor) {
    Phone.now().triggers.put(listener, sensor.type);
    return true;
  }

  public boolean cancelTriggerSensor(TriggerEventListener listener, Sensor sensor) {
    return Phone.now().triggers.remove(listener) != null;
  }
}
