package app.proximity;

import android.app.AlarmManager;
import android.app.PendingIntent;
import android.content.Context;
import android.os.PowerManager;

/** Warns the person at a planned time that nothing is watched any more, unless the watch goes on and puts it off. */
final class SilenceAlarm {
  private final Watch watch;

  SilenceAlarm(Watch watch) {
    this.watch = watch;
  }

  /** @param at_ms when; negative for never. In place of the time before. */
  void set(long at_ms) {
    AlarmManager alarms = (AlarmManager) watch.context.getSystemService(Context.ALARM_SERVICE);
    PowerManager power = (PowerManager) watch.context.getSystemService(Context.POWER_SERVICE);
    PendingIntent intent = EventReceiver.pending(watch.context, EventReceiver.SILENT, 0, false);
    if (at_ms < 0) alarms.cancel(intent);
    else WakeAlarm.lay(alarms, power, at_ms, intent, watch.context);
  }

  /** The time came. The alarm itself woke the watch; the person is told where the service cannot go on. */
  void fire() {
    watch.tell(Input.woke());
    if (watch.isWatching() && !WatchService.isLocating()) watch.refused(watch.purpose());
  }
}
