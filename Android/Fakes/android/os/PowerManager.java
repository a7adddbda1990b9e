package android.os;

import phone.Phone;

public final class PowerManager {
  public boolean isPowerSaveMode() {
    return Phone.now().isSaving;
  }

  public boolean isDeviceIdleMode() {
    return Phone.now().isIdle;
  }

  public int getLocationPowerSaveMode() {
    if (Phone.now().level() < 28) throw new NoSuchMethodError("getLocationPowerSaveMode is of 28");
    return Phone.now().savesLocation;
  }

  public boolean isIgnoringBatteryOptimizations(String name) {
    return Phone.now().isExempt;
  }

  public WakeLock newWakeLock(int level, String tag) {
    return new WakeLock(tag);
  }

  public static final class WakeLock {
    public final String tag;

    WakeLock(String tag) {
      this.tag = tag;
    }

    public void setReferenceCounted(boolean is) {}

    public void acquire() {
      Phone.now().locks.add(this);
    }

    public void acquire(long timeout_ms) {
      Phone.now().locks.add(this);
    }

    public void release() {
      if (!Phone.now().locks.remove(this)) throw new IllegalStateException("WakeLock under-locked " + tag);
    }

    public boolean isHeld() {
      return Phone.now().locks.contains(this);
    }
  }
}
