package android.service.notification;

public class StatusBarNotification {
  private final String tag;

  public StatusBarNotification(String tag) {
    this.tag = tag;
  }

  public String getTag() {
    return tag;
  }
}
