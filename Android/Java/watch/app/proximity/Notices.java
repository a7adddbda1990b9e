package app.proximity;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import java.util.EnumSet;

/** All notifications except those of ringing alarms: the watch is running, troubles of the watch, and quiet news. */
final class Notices {
  static final String WATCHING = "watching";
  static final String ALARM = "alarm";
  static final String TROUBLE = "trouble";
  static final String NEWS = "news";
  static final String REMINDER = "reminder";
  /** The number of the service's own notification. */
  static final int WATCHING_ID = 1;

  private final Context context;
  private final NotificationManager manager;
  private EnumSet<Trouble> shown = EnumSet.noneOf(Trouble.class);

  Notices(Context context) {
    this.context = context;
    manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    makeChannels(context);
  }

  static void makeChannels(Context context) {
    if (Build.VERSION.SDK_INT < 26) return;
    NotificationManager manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    NotificationChannel alarm = channel(context, ALARM, R.string.channel_alarm, NotificationManager.IMPORTANCE_HIGH);
    // The Ringer makes the sound, on the alarm stream, so that it also sounds if notifications are forbidden.
    alarm.setSound(null, null);
    alarm.enableVibration(false);
    alarm.setBypassDnd(true);
    alarm.setLockscreenVisibility(Notification.VISIBILITY_PUBLIC);
    manager.createNotificationChannel(alarm);
    manager.createNotificationChannel(
        channel(context, TROUBLE, R.string.channel_trouble, NotificationManager.IMPORTANCE_HIGH));
    manager.createNotificationChannel(
        channel(context, WATCHING, R.string.channel_watching, NotificationManager.IMPORTANCE_LOW));
    manager.createNotificationChannel(
        channel(context, NEWS, R.string.channel_news, NotificationManager.IMPORTANCE_LOW));
    manager.createNotificationChannel(
        channel(context, REMINDER, R.string.channel_reminder, NotificationManager.IMPORTANCE_DEFAULT));
  }

  private static NotificationChannel channel(Context context, String id, int name, int importance) {
    return new NotificationChannel(id, context.getString(name), importance);
  }

  static Notification.Builder builder(Context context, String channel) {
    Notification.Builder builder = Build.VERSION.SDK_INT >= 26 ? new Notification.Builder(context, channel)
        : old(context, channel);
    return builder.setSmallIcon(R.drawable.ic_alarm).setColor(0xff00656e).setContentIntent(page(context))
        .setVisibility(Notification.VISIBILITY_PUBLIC);
  }

  @SuppressWarnings("deprecation")
  private static Notification.Builder old(Context context, String channel) {
    boolean isLoud = channel.equals(ALARM) || channel.equals(TROUBLE);
    return new Notification.Builder(context)
        .setPriority(isLoud ? Notification.PRIORITY_MAX : Notification.PRIORITY_LOW)
        .setDefaults(channel.equals(TROUBLE) || channel.equals(REMINDER)
            ? Notification.DEFAULT_SOUND | Notification.DEFAULT_VIBRATE : 0);
  }

  static PendingIntent page(Context context) {
    Intent intent = new Intent(context, MainActivity.class).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    return PendingIntent.getActivity(context, 0, intent, PendingIntent.FLAG_IMMUTABLE);
  }

  /**
   * Returns the notification that the service shows while it runs. If it only rings and does not watch, the alarm has a notification of its
   * own.
   */
  static Notification watching(Context context, boolean isWatching) {
    Notification.Builder builder = builder(context, WATCHING).setContentTitle(
        context.getString(isWatching ? R.string.watching : R.string.name));
    if (isWatching) builder.setContentText(context.getString(R.string.watching_text));
    return builder.setOngoing(true).setCategory(Notification.CATEGORY_SERVICE).build();
  }

  /**
   * Shows the troubles that were read from the phone and withdraws those that have ended.
   *
   * @return the troubles that were not shown before.
   */
  EnumSet<Trouble> show(EnumSet<Trouble> found) {
    EnumSet<Trouble> fresh = EnumSet.copyOf(found);
    fresh.removeAll(shown);
    EnumSet<Trouble> over = EnumSet.copyOf(Trouble.READ);
    over.removeAll(found);
    for (Trouble trouble : fresh) show(trouble);
    for (Trouble trouble : over) takeBack(trouble);
    shown = EnumSet.copyOf(found);
    return fresh;
  }

  /** True if a trouble that is read from the phone is shown. */
  boolean isShown(Trouble trouble) {
    return shown.contains(trouble);
  }

  void show(Trouble trouble) {
    String text = trouble.words(context);
    manager.notify(TROUBLE, trouble.ordinal(), builder(context, TROUBLE).setContentTitle(context.getString(trouble.title))
        .setContentText(text).setStyle(new Notification.BigTextStyle().bigText(text)).setOnlyAlertOnce(true)
        .setAutoCancel(true).setContentIntent(EventReceiver.settings(context, trouble)).build());
  }

  void takeBack(Trouble trouble) {
    manager.cancel(TROUBLE, trouble.ordinal());
  }

  /** Shows a silent notification: a possible entry, a missed signal or a proposal. The same number replaces it. */
  void tell(String about, long number, String title, String text) {
    post(NEWS, about, number, title, text);
  }

  /** Shows a list entry at one of its places, with one sound. */
  void remind(long zone, String title, String text) {
    post(REMINDER, REMINDER, zone, title, text);
  }

  private void post(String channel, String about, long number, String title, String text) {
    manager.notify(about + ":" + Long.toUnsignedString(number), 0, builder(context, channel).setContentTitle(title)
        .setContentText(text).setStyle(new Notification.BigTextStyle().bigText(text)).setAutoCancel(true).build());
  }
}
