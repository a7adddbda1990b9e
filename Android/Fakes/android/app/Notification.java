package android.app;

import android.content.Context;
import android.graphics.drawable.Icon;
import java.util.ArrayList;
import java.util.List;
import phone.Phone;

public class Notification {
  public String channel;
  public CharSequence title;
  public CharSequence text;
  public String category;
  public boolean isOngoing;
  public PendingIntent fullScreenIntent;
  public PendingIntent contentIntent;
  public PendingIntent deleteIntent;
  public List<Action> actions = new ArrayList<>();

  public static class Action {
    public CharSequence title;
    public PendingIntent actionIntent;

    public static final class Builder {
      private final Action action = new Action();

      public Builder(Icon icon, CharSequence title, PendingIntent intent) {
        action.title = title;
        action.actionIntent = intent;
      }

      public Action build() {
        return action;
      }
    }
  }

  public abstract static class Style {}

  public static class BigTextStyle extends Style {
    public BigTextStyle bigText(CharSequence text) {
      return this;
    }
  }

  public static class Builder {
    private final Notification notice = new Notification();

    public Builder(Context context) {}

    public Builder(Context context, String channel) {
      if (Phone.now().level() < 26) throw new NoSuchMethodError("channels are of 26");
      notice.channel = channel;
    }

    public Builder setContentTitle(CharSequence title) {
      notice.title = title;
      return this;
    }

    public Builder setContentText(CharSequence text) {
      notice.text = text;
      return this;
    }

    public Builder setCategory(String category) {
      notice.category = category;
      return this;
    }

    public Builder setOngoing(boolean is) {
      notice.isOngoing = is;
      return this;
    }

    public Builder setFullScreenIntent(PendingIntent intent, boolean isUrgent) {
      notice.fullScreenIntent = intent;
      return this;
    }

    public Builder setContentIntent(PendingIntent intent) {
      notice.contentIntent = intent;
      return this;
    }

    public Builder setDeleteIntent(PendingIntent intent) {
      notice.deleteIntent = intent;
      return this;
    }

    public Builder addAction(Action action) {
      notice.actions.add(action);
      return this;
    }

    public Builder setSmallIcon(int icon) {
      return this;
    }

    public Builder setColor(int colour) {
      return this;
    }

    public Builder setVisibility(int visibility) {
      return this;
    }

    public Builder setPriority(int priority) {
      return this;
    }

    public Builder setDefaults(int defaults) {
      return this;
    }

    public Builder setStyle(Style style) {
      return this;
    }

    public Builder setOnlyAlertOnce(boolean is) {
      return this;
    }

    public Builder setAutoCancel(boolean is) {
      return this;
    }

    public Builder setWhen(long at_ms) {
      return this;
    }

    public Builder setShowWhen(boolean is) {
      return this;
    }

    public Notification build() {
      return notice;
    }
  }
}
