package app.proximity;

import android.app.NotificationManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.UserManager;
import java.io.File;
import java.io.IOException;

/**
 * Shows after a start of the phone that alarms wait for the first unlock. Until then Android neither gives the application its files nor
 * starts it. Shows nothing if nothing was watched.
 */
public final class LockedStartReceiver extends BroadcastReceiver {
  static final String LOCKED = "locked";

  @Override public void onReceive(Context context, Intent intent) {
    if (!Intent.ACTION_LOCKED_BOOT_COMPLETED.equals(intent.getAction()) || !sign(context).exists()) return;
    UserManager users = (UserManager) context.getSystemService(Context.USER_SERVICE);
    if (users.isUserUnlocked()) return; // A phone without a lock.
    Notices.makeChannels(context);
    notices(context).notify(LOCKED, 0, Notices.builder(context, Notices.TROUBLE).setContentTitle(context.getString(R.string.locked))
        .setContentText(context.getString(R.string.locked_text)).setOngoing(true).build());
  }

  /** Removes the notification, because the application runs with the phone unlocked. */
  static void takeBack(Context context) {
    notices(context).cancel(LOCKED, 0);
  }

  /** Stores whether anything is watched, so that it can be read before the first unlock. */
  static void keep(Context context, boolean isWatching) {
    try {
      if (!isWatching) Watch.disk.delete(sign(context));
      else if (!sign(context).exists()) Watch.disk.write(sign(context), new byte[] {1});
    } catch (IOException e) {
      // The watch reports full storage. Without this value, the notification after a start is missing.
      return;
    }
  }

  /** True if something was watched when the application last ran, even if its files are lost. */
  static boolean isKept(Context context) {
    return sign(context).exists();
  }

  private static File sign(Context context) {
    return new File(context.createDeviceProtectedStorageContext().getFilesDir(), "watching");
  }

  private static NotificationManager notices(Context context) {
    return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
  }
}
