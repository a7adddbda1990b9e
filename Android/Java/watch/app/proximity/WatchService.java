package app.proximity;

import android.app.Notification;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Build;
import android.os.IBinder;

/** Keeps the process alive, and its positions coming, while the engine watches. The watch itself is {@link Watch}. */
public final class WatchService extends Service {
  private static volatile boolean isRunning;

  /** Whether the service runs in the foreground. */
  static boolean isRunning() {
    return isRunning;
  }

  /** @throws IllegalStateException where the system forbids it now: the application is in the background. */
  static void start(Context context) {
    Intent intent = new Intent(context, WatchService.class);
    if (Build.VERSION.SDK_INT >= 26) context.startForegroundService(intent);
    else context.startService(intent);
  }

  static void stop(Context context) {
    if (isRunning) context.stopService(new Intent(context, WatchService.class));
  }

  @Override public int onStartCommand(Intent intent, int flags, int startId) {
    Notices.makeChannels(this);
    Notification notice = Notices.watching(this);
    try {
      if (Build.VERSION.SDK_INT >= 29) {
        startForeground(Notices.WATCHING_ID, notice, ServiceInfo.FOREGROUND_SERVICE_TYPE_LOCATION);
      } else {
        startForeground(Notices.WATCHING_ID, notice);
      }
      isRunning = true;
      WatchThread.post(this, Input.RELAUNCH, watch -> {
        watch.notices.takeBack(Trouble.STOPPED);
        watch.settle();
      });
      return START_STICKY;
    } catch (IllegalStateException | SecurityException e) {
      // In the background, or without permission, from Android 12 on.
      isRunning = false;
      WatchThread.post(this, Input.RELAUNCH, Watch::refused);
      stopSelf();
      return START_NOT_STICKY;
    }
  }

  @Override public void onDestroy() {
    isRunning = false;
    super.onDestroy();
  }

  @Override public IBinder onBind(Intent intent) {
    return null;
  }
}
