package app.proximity;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.os.PowerManager;

/** The one time at which the engine wants to be woken, even from the phone's deep sleep and if the process has ended. */
final class WakeAlarm {
  private final Watch watch;
  private final AlarmManager alarms;
  private final PowerManager power;
  private final Runnable ring = this::fire;
  private long wanted_ms = -1;

  WakeAlarm(Watch watch) {
    this.watch = watch;
    alarms = (AlarmManager) watch.context.getSystemService(Context.ALARM_SERVICE);
    power = (PowerManager) watch.context.getSystemService(Context.POWER_SERVICE);
  }

  boolean isOn() {
    return wanted_ms >= 0;
  }

  /** @param at_ms the time by the clock that people set, replacing the previous one; negative for never. */
  void set(long at_ms) {
    wanted_ms = at_ms;
    watch.handler.removeCallbacks(ring);
    PendingIntent intent = EventReceiver.pending(watch.context, EventReceiver.WAKE, 0, false);
    if (at_ms < 0) {
      alarms.cancel(intent);
      return;
    }
    lay(alarms, power, at_ms, intent, watch.context);
    // The system's alarms are at least five seconds away. This timer is punctual while the processor is awake.
    watch.handler.postDelayed(ring, Math.max(0, at_ms - Clock.now()));
  }

  /** Sets the alarm again, because the phone fell asleep, or exact alarms became allowed or forbidden. */
  void renew() {
    if (wanted_ms >= 0) set(wanted_ms);
  }

  /** Handles the alarm. The engine's answer sets the next time. */
  void fire() {
    wanted_ms = -1;
    watch.handler.removeCallbacks(ring);
    watch.tell(Input.woke());
  }

  /** Sets an exact alarm if that is allowed. In deep sleep only an alarm clock is not delayed by minutes. */
  static void lay(AlarmManager alarms, PowerManager power, long at_ms, PendingIntent intent, Context context) {
    boolean mayBeExact = Build.VERSION.SDK_INT < 31 || Newer.ask(alarms, "canScheduleExactAlarms", true);
    try {
      if (mayBeExact && power.isDeviceIdleMode()) {
        PendingIntent show = PendingIntent.getActivity(
            context, 0, new Intent(context, MainActivity.class), PendingIntent.FLAG_IMMUTABLE);
        alarms.setAlarmClock(new AlarmManager.AlarmClockInfo(at_ms, show), intent);
        return;
      }
      if (mayBeExact) {
        alarms.setExactAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at_ms, intent);
        return;
      }
    } catch (SecurityException e) {
      // The permission was withdrawn between the check and the call.
    }
    alarms.setAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at_ms, intent);
  }
}
