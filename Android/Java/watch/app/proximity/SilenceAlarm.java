package app.proximity;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.Context;
import android.os.PowerManager;

/** Warns the person at a planned time that nothing is watched any more, unless the watch continues and postpones the warning. */
final class SilenceAlarm {
  private final Watch watch;

  SilenceAlarm(Watch watch) {
    this.watch = watch;
  }

  /** @param at_ms the time, replacing the previous one; negative for never. */
  void set(long at_ms) {
    AlarmManager alarms = (AlarmManager) watch.context.getSystemService(Context.ALARM_SERVICE);
    PowerManager power = (PowerManager) watch.context.getSystemService(Context.POWER_SERVICE);
    PendingIntent intent = EventReceiver.pending(watch.context, EventReceiver.SILENT, 0, false);
    if (at_ms < 0) alarms.cancel(intent);
    else WakeAlarm.lay(alarms, power, at_ms, intent, watch.context);
  }

  /** Handles the planned time. The alarm itself woke the watch; the person is warned if the service cannot continue. */
  void fire() {
    watch.tell(Input.woke());
    if (watch.isWatching() && !WatchService.isLocating()) watch.refused(watch.purpose());
  }
}
