package app.proximity;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.PowerManager;
import android.service.notification.StatusBarNotification;
import android.text.format.DateFormat;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Shows and sounds the engine's alarms: a notification for each alarm that rings, full screen over the lock screen, and one sound at a
 * time.
 *
 * <p>A notification has its alarm's number, so an alarm that is announced again after a restart replaces its own.
 */
final class Ringer {
  /** The number of the test alarm that a person requests. No alarm of the engine has it. */
  static final long TEST_ALARM = -1;

  private static final String TAG = "alarm:";
  /** The list for the alarm's screen, which runs on another thread. */
  private static volatile List<Ringing> shown = Collections.emptyList();

  private final Watch watch;
  private final Context context;
  private final NotificationManager manager;
  private final AlarmSound sound;
  private final File settings;
  private final Set<Long> notified = new HashSet<>();
  private List<Ringing> ringing = Collections.emptyList();
  private boolean isFirst = true;
  private Ringing test;
  /** A sound that waits for the service. */
  private Runnable waiting;
  private long soundedAt;
  private long soundedAlarm;
  private boolean isUntilClosed;
  private boolean isRising;

  Ringer(Watch watch) {
    this.watch = watch;
    context = watch.context;
    manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    sound = new AlarmSound(context, watch.handler, watch::settle);
    settings = new File(context.getFilesDir(), "sounding");
    try {
      byte[] kept = Watch.disk.read(settings);
      isUntilClosed = kept.length == 2 && kept[0] == 1;
      isRising = kept.length == 2 && kept[1] == 1;
    } catch (IOException e) {
      isUntilClosed = false; // As it is before anybody chose.
    }
    // An earlier process showed these; some may have ended with it.
    for (StatusBarNotification each : manager.getActiveNotifications()) {
      String tag = each.getTag();
      if (tag != null && tag.startsWith(TAG)) notified.add(Long.parseUnsignedLong(tag.substring(TAG.length())));
    }
  }

  /** Returns all ringing alarms that were not closed, for the screen over the lock screen. From any thread. */
  static List<Ringing> shown() {
    return shown;
  }

  boolean isOn() {
    return !ringing.isEmpty();
  }

  boolean isTesting() {
    return test != null;
  }

  /** True while a sound plays, or waits for the service. */
  boolean isSounding() {
    return waiting != null || sound.isOn();
  }

  /** Sets how alarms sound. */
  void choose(boolean isUntilClosed, boolean isRising) {
    if (isUntilClosed == this.isUntilClosed && isRising == this.isRising) return;
    this.isUntilClosed = isUntilClosed;
    this.isRising = isRising;
    File fresh = new File(context.getFilesDir(), "sounding.new");
    try {
      Watch.disk.write(fresh, new byte[] {(byte) (isUntilClosed ? 1 : 0), (byte) (isRising ? 1 : 0)});
      Watch.disk.rename(fresh, settings);
    } catch (IOException e) {
      watch.notices.show(Trouble.STORAGE_FULL);
    }
  }

  /**
   * Sets the alarms that ring, and withdraws all others. Also called after a restart, when the engine lists the alarms that rang before.
   */
  void keep(List<Ringing> list) {
    ringing = list;
    Set<Long> open = new HashSet<>();
    for (Ringing alarm : list) {
      if (alarm.isClosed) continue;
      open.add(alarm.alarm);
      if (notified.add(alarm.alarm) || isFirst) {
        show(alarm);
        play(alarm.alarm, alarm.soundName);
      }
    }
    for (Long alarm : new HashSet<>(notified)) {
      if (!open.contains(alarm)) takeBack(alarm);
    }
    if (list.isEmpty() && test == null) silence();
    isFirst = false;
    update();
  }

  /** Shows one event under its own number, so that a repeated event replaces itself. */
  void tell(Told told) {
    switch (told.what) {
      case Told.ALARM:
        notified.add(told.alarm);
        show(new Ringing(told.alarm, told.zone, told.cause, told.time_ms, false, told.zoneName, told.soundName));
        play(told.alarm, told.soundName);
        watch.rang();
        break;
      case Told.REPEAT:
        // An alarm that sounds must be possible to close, so it is shown again after it was swiped away or closed.
        notified.add(told.alarm);
        if (!isShown(told.alarm)) showAgain(told.alarm);
        play(told.alarm, told.soundName);
        break;
      case Told.CLEARED: takeBack(told.alarm); break;
      case Told.MISSED_SIGNAL: news("signal", told, R.string.told_signal, R.string.told_signal_text); break;
      case Told.PERHAPS: news("perhaps", told, R.string.told_perhaps, R.string.told_perhaps_text); break;
      case Told.NOTICE: news("notice", told, R.string.told_notice, R.string.told_notice_text); break;
      case Told.PROPOSAL: news("proposal", told, R.string.told_proposal, R.string.told_proposal_text); break;
      case Told.REMINDER: watch.notices.remind(told.zone, name(told.zoneName), told.body); break;
      default: break; // A position that was ignored is in the journal; nobody is told.
    }
  }

  private void news(String about, Told told, int title, int text) {
    String body = told.body.isEmpty() ? context.getString(text) : told.body;
    watch.notices.tell(about, told.zone, context.getString(title, name(told.zoneName)), body);
  }

  private String name(String zone) {
    return zone.isEmpty() ? context.getString(R.string.zone) : zone;
  }

  static int words(int cause) {
    int[] words = {R.string.cause_inside, R.string.cause_near, R.string.cause_passed, R.string.cause_dwell,
        R.string.cause_left, R.string.cause_possible};
    return words[Math.min(cause, words.length - 1)];
  }

  /** Shows the alarm's notification: on top, full screen over the lock screen, with all three answers. A test alarm can only be stopped. */
  private void show(Ringing alarm) {
    Intent intent = new Intent(context, AlarmActivity.class)
        .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_NO_USER_ACTION);
    PendingIntent screen = PendingIntent.getActivity(context, 1, intent, PendingIntent.FLAG_IMMUTABLE);
    String time = DateFormat.getTimeFormat(context).format(new Date(alarm.began_ms));
    Notification.Builder builder = Notices.builder(context, Notices.ALARM).setContentTitle(name(alarm.zoneName))
        .setContentText(context.getString(words(alarm.cause)) + " · " + time)
        .setCategory(Notification.CATEGORY_ALARM).setOngoing(true).setWhen(alarm.began_ms).setShowWhen(true)
        .setFullScreenIntent(screen, true).setContentIntent(screen)
        // From Android 14 on, ongoing notifications can be swiped away, too.
        .setDeleteIntent(EventReceiver.pending(context, EventReceiver.SWIPED, alarm.alarm, false))
        .addAction(action(R.string.stop, EventReceiver.STOP, alarm.alarm));
    if (alarm.alarm != TEST_ALARM) {
      builder.addAction(action(R.string.sleep, EventReceiver.SLEEP, alarm.alarm))
          .addAction(action(R.string.close, EventReceiver.CLOSE, alarm.alarm));
    }
    manager.notify(tag(alarm.alarm), 0, builder.build());
    update();
  }

  private Notification.Action action(int words, String what, long alarm) {
    return new Notification.Action.Builder(
        null, context.getString(words), EventReceiver.pending(context, what, alarm, false)).build();
  }

  /** Shows a notification again that was swiped away. Swiping does not close the alarm: it is shown while it rings. */
  void showAgain(long alarm) {
    if (alarm == TEST_ALARM && test != null) show(test);
    for (Ringing each : ringing) if (each.alarm == alarm && notified.contains(alarm)) show(each);
  }

  private boolean isShown(long alarm) {
    for (StatusBarNotification each : manager.getActiveNotifications()) if (tag(alarm).equals(each.getTag())) return true;
    return false;
  }

  void takeBack(long alarm) {
    notified.remove(alarm);
    manager.cancel(tag(alarm), 0);
    if (soundedAlarm == alarm) silence();
    update();
  }

  private static String tag(long alarm) {
    return TAG + Long.toUnsignedString(alarm);
  }

  /** Plays an alarm's sound for the engine's length. A sound without pauses is continued, not restarted. */
  private void play(long alarm, String name) {
    long now = Clock.uptime();
    boolean isSame = soundedAlarm == alarm && soundedAt > 0;
    boolean hasNoPause = isUntilClosed && !isClosed(alarm);
    long length_ms = Engine.soundLength(isSame ? now - soundedAt : -1, hasNoPause);
    soundedAt = now;
    soundedAlarm = alarm;
    if (hasNoPause && isSame && sound.isOn()) sound.prolong(length_ms);
    else sound(() -> sound.play(name, length_ms, isRising));
  }

  /**
   * Plays a sound once the service is in the foreground: from Android 17 on, a sound in the background is heard only from a foreground
   * service.
   */
  private void sound(Runnable play) {
    waiting = play;
    watch.settle();
    if (watch.isSettled()) settled();
  }

  /** Plays a waiting sound, because the service runs or was refused. */
  void settled() {
    Runnable play = waiting;
    waiting = null;
    if (play != null) play.run();
  }

  private boolean isClosed(long alarm) {
    for (Ringing each : ringing) if (each.alarm == alarm) return each.isClosed;
    return false;
  }

  /** Stops the sound until the next alarm or repeat. */
  void silence() {
    waiting = null;
    sound.stop();
  }

  /** Plays a short signal for an event that cannot be shown because notifications are off. */
  void signal() {
    sound(() -> sound.play("", Engine.soundLength(0, false), false));
  }

  /** Plans a test alarm that uses the same means as a real one: timer, notification, sound, screen over the lock screen. */
  static void planTest(Context context, long after_ms) {
    AlarmManager alarms = (AlarmManager) context.getSystemService(Context.ALARM_SERVICE);
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    PendingIntent intent = EventReceiver.pending(context, EventReceiver.TEST, 0, false);
    WakeAlarm.lay(alarms, power, Clock.now() + after_ms, intent, context);
  }

  void ringTest() {
    test = new Ringing(TEST_ALARM, 0, 0, Clock.now(), false, context.getString(R.string.test), "");
    show(test);
    play(TEST_ALARM, "");
  }

  /** @return whether the answered alarm was the test alarm. */
  boolean endTest(long alarm) {
    if (alarm != TEST_ALARM) return false;
    if (test != null) watch.firstRun.happened(FirstRun.Step.TEST);
    test = null;
    takeBack(TEST_ALARM);
    watch.settle();
    return true;
  }

  private void update() {
    List<Ringing> open = new ArrayList<>();
    for (Ringing alarm : ringing) if (notified.contains(alarm.alarm)) open.add(alarm);
    if (test != null) open.add(test);
    shown = open;
    AlarmActivity.renew();
  }
}
