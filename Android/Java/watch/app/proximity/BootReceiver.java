package app.proximity;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Resumes the watch after a start of the phone and after an update of the application, and checks the clock when it is set. */
public final class BootReceiver extends BroadcastReceiver {
  @Override public void onReceive(Context context, Intent intent) {
    String action = intent.getAction();
    boolean isBoot = Intent.ACTION_BOOT_COMPLETED.equals(action);
    boolean isKnown = isBoot || Intent.ACTION_MY_PACKAGE_REPLACED.equals(action) || Intent.ACTION_TIME_CHANGED.equals(action)
        || Intent.ACTION_TIMEZONE_CHANGED.equals(action) || Newer.EXACT_CHANGED.equals(action);
    if (!isKnown) return;
    WatchThread.postAwake(context, this, isBoot ? Input.REBOOT : Input.RELAUNCH, watch -> {
      watch.refresh();
      watch.wake.renew();
      if (Intent.ACTION_TIME_CHANGED.equals(action)) watch.tell(Input.woke());
    });
  }
}
