package android.app;

import android.media.AudioAttributes;
import android.net.Uri;

public final class NotificationChannel {
  public final String id;
  public int importance;

  public NotificationChannel(String id, CharSequence name, int importance) {
    if (name == null) throw new IllegalArgumentException("a channel has a name");
    this.id = id;
    this.importance = importance;
  }

  public int getImportance() {
    return importance;
  }

  public void setSound(Uri sound, AudioAttributes attributes) {}

  public void enableVibration(boolean is) {}

  public void setBypassDnd(boolean is) {}

  public void setLockscreenVisibility(int visibility) {}
}
