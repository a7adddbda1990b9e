package android.app;

import phone.Phone;

public class AlarmManager {
  public static final class AlarmClockInfo {
    private final long at_ms;

    public AlarmClockInfo(long at_ms, PendingIntent show) {
      this.at_ms = at_ms;
    }
  }

  public boolean canScheduleExactAlarms() {
    if (Phone.now().level() < 31) throw new NoSuchMethodError("canScheduleExactAlarms is of 31");
    return Phone.now().mayBeExact;
  }

  private void lay(long at_ms, PendingIntent intent, String kind) {
    boolean isExact = !kind.equals("inexact");
    if (isExact && Phone.now().level() >= 31 && !Phone.now().mayBeExact) {
      throw new SecurityException("Caller app.proximity needs to hold SCHEDULE_EXACT_ALARM");
    }
    // The system delays alarms to at least five seconds from now.
    long at = Math.max(at_ms, Phone.now().wall_ms + 5_000);
    Phone.now().alarms.remove(intent);
    Phone.now().alarms.put(intent, new Phone.Alarm(at, kind));
  }

  public void setAlarmClock(AlarmClockInfo info, PendingIntent intent) {
    lay(info.at_ms, intent, "clock");
  }

  public void setExactAndAllowWhileIdle(int type, long at_ms, PendingIntent intent) {
    lay(at_ms, intent, "exact");
  }

  public void setAndAllowWhileIdle(int type, long at_ms, PendingIntent intent) {
    lay(at_ms, intent, "inexact");
  }

  public void cancel(PendingIntent intent) {
    Phone.now().alarms.remove(intent);
  }
}
