package android.media;

import android.net.Uri;

public class RingtoneManager {
  public static Uri getDefaultUri(int type) {
    return Uri.parse("content://settings/system/" + (type == 4 ? "alarm_alert" : "ringtone"));
  }
}
