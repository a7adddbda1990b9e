package app.proximity;

import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.location.LocationManager;
import android.net.Uri;
import android.os.Build;

/** Receives the events for which the system wakes the application: timers, fences, and the buttons of notifications. */
public final class EventReceiver extends BroadcastReceiver {
  static final String WAKE = "wake";
  static final String SILENT = "silent";
  static final String FENCE = "fence";
  static final String STOP = "stop";
  static final String SLEEP = "sleep";
  static final String CLOSE = "close";
  static final String SWIPED = "swiped";
  static final String TEST = "test";

  /** @param isFilled whether the system adds data to the intent. */
  static PendingIntent pending(Context context, String action, long id, boolean isFilled) {
    Intent intent = new Intent(context, EventReceiver.class).setAction(action)
        .setData(Uri.parse("proximity:" + action + "/" + Long.toUnsignedString(id)))
        .addFlags(Intent.FLAG_RECEIVER_FOREGROUND);
    int flags = isFilled ? (Build.VERSION.SDK_INT >= 31 ? Newer.MUTABLE : 0) : PendingIntent.FLAG_IMMUTABLE;
    return PendingIntent.getBroadcast(context, 0, intent, PendingIntent.FLAG_UPDATE_CURRENT | flags);
  }

  /** Returns an intent that opens the application at the screen where the trouble can be resolved. */
  static PendingIntent settings(Context context, Trouble trouble) {
    Intent intent = new Intent(context, MainActivity.class).setAction("settings")
        .setData(Uri.parse("proximity:settings/" + trouble.place)).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    return PendingIntent.getActivity(context, 0, intent, PendingIntent.FLAG_IMMUTABLE | PendingIntent.FLAG_UPDATE_CURRENT);
  }

  @Override public void onReceive(Context context, Intent intent) {
    String action = intent.getAction();
    if (action == null || intent.getData() == null) return;
    long id = Long.parseUnsignedLong(intent.getData().getSchemeSpecificPart().replaceFirst("^.*/", ""));
    boolean isEntering = intent.getBooleanExtra(LocationManager.KEY_PROXIMITY_ENTERING, false);
    WatchThread.postAwake(context, this, Input.RELAUNCH, watch -> {
      switch (action) {
        case WAKE: watch.wake.fire(); break;
        case SILENT: watch.silent.fire(); break;
        case FENCE: watch.fences.crossed(id, isEntering); break;
        case STOP: watch.answer(Input.STOP, id); break;
        case SLEEP: watch.answer(Input.SLEEP, id); break;
        case CLOSE: watch.answer(Input.CLOSE, id); break;
        case SWIPED: watch.ringer.showAgain(id); break;
        case TEST: watch.ringer.ringTest(); break;
        default: break;
      }
    });
  }
}
