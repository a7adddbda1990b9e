package app.proximity;

import android.app.Notification;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Build;
import android.os.IBinder;

/**
 * Keeps the process alive, and positions arriving, while the engine watches. The watch itself is {@link Watch}.
 *
 * <p>If positions are not available, the service runs for the sound of a ringing alarm only, from Android 14 on with the type
 * systemExempted: "Apps holding SCHEDULE_EXACT_ALARM or USE_EXACT_ALARM permission and are using Foreground Service to continue alarms in
 * the background, including haptics-only alarms" ("Foreground service types"). Unlike mediaPlayback it may also start after a start of the
 * phone.
 */
public final class WatchService extends Service {
  /** The purposes for which it runs. */
  static final int NONE = 0;
  static final int LOCATING = 1;
  static final int RINGING = 2;

  private static final String RING = "ring";
  private static volatile int running = NONE;

  /** True if the service runs in the foreground. */
  static boolean isRunning() {
    return running != NONE;
  }

  static boolean isRunning(int purpose) {
    return running == purpose;
  }

  /** True while positions arrive with the application in the background. */
  static boolean isLocating() {
    return running == LOCATING;
  }

  /** @throws IllegalStateException if the system forbids it now, because the application is in the background. */
  static void start(Context context, int purpose) {
    Intent intent = new Intent(context, WatchService.class).setAction(purpose == RINGING ? RING : null);
    if (Build.VERSION.SDK_INT >= 26) context.startForegroundService(intent);
    else context.startService(intent);
  }

  static void stop(Context context) {
    if (isRunning()) context.stopService(new Intent(context, WatchService.class));
  }

  @Override public int onStartCommand(Intent intent, int flags, int startId) {
    Notices.makeChannels(this);
    // The system restarts it without an intent.
    int purpose = intent != null && RING.equals(intent.getAction()) ? RINGING : LOCATING;
    Notification notice = Notices.watching(this, purpose == LOCATING);
    try {
      if (Build.VERSION.SDK_INT >= 29) {
        int type = purpose == RINGING ? Newer.SYSTEM_EXEMPTED : ServiceInfo.FOREGROUND_SERVICE_TYPE_LOCATION;
        startForeground(Notices.WATCHING_ID, notice, type);
      } else {
        startForeground(Notices.WATCHING_ID, notice);
      }
      running = purpose;
      WatchThread.post(this, Input.RELAUNCH, watch -> {
        if (purpose == LOCATING) watch.notices.takeBack(Trouble.STOPPED);
        watch.settle();
      });
      return START_STICKY;
    } catch (IllegalStateException | SecurityException e) {
      // In the background, or without permission, from Android 12 on.
      running = NONE;
      WatchThread.post(this, Input.RELAUNCH, watch -> watch.refused(purpose));
      stopSelf();
      return START_NOT_STICKY;
    }
  }

  @Override public void onDestroy() {
    running = NONE;
    super.onDestroy();
  }

  @Override public IBinder onBind(Intent intent) {
    return null;
  }
}
