package android.app;

import phone.Phone;

public class NotificationManager {
  private final Phone phone = Phone.now();

  public void createNotificationChannel(NotificationChannel channel) {
    if (phone.level() < 26) throw new NoSuchMethodError("channels are of 26");
    phone.channels.putIfAbsent(channel.id, channel);
  }

  public NotificationChannel getNotificationChannel(String id) {
    if (phone.level() < 26) throw new NoSuchMethodError("channels are of 26");
    return phone.channels.get(id);
  }

  public void notify(String tag, int id, Notification notice) {
    if (phone.level() >= 26 && !phone.channels.containsKey(notice.channel)) {
      throw new IllegalArgumentException("no such channel: " + notice.channel);
    }
    if (!areNotificationsEnabled()) return;
    if (phone.notifications.put(tag + ":" + id, notice) == null) phone.noted.add("+" + tag);
  }

  public void cancel(String tag, int id) {
    if (phone.notifications.remove(tag + ":" + id) != null) phone.noted.add("-" + tag);
  }

  public android.service.notification.StatusBarNotification[] getActiveNotifications() {
    return phone.notifications.keySet().stream().map(key -> key.replaceFirst(":[0-9]+$", ""))
        .map(tag -> new android.service.notification.StatusBarNotification(tag.equals("null") ? null : tag))
        .toArray(android.service.notification.StatusBarNotification[]::new);
  }

  public boolean areNotificationsEnabled() {
    return phone.areNotificationsOn
        && (phone.level() < 33 || phone.granted.contains("android.permission.POST_NOTIFICATIONS"));
  }

  public final int getCurrentInterruptionFilter() {
    return phone.interruptionFilter;
  }

  public boolean canUseFullScreenIntent() {
    if (phone.level() < 34) throw new NoSuchMethodError("canUseFullScreenIntent is of 34");
    return phone.mayFillScreen;
  }
}
