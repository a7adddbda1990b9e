package android.text.format;

import android.content.Context;
import java.text.SimpleDateFormat;
import java.util.Locale;

public class DateFormat {
  public static java.text.DateFormat getTimeFormat(Context context) {
    return new SimpleDateFormat("HH:mm", Locale.ROOT);
  }
}
