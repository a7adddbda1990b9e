package android.content.res;

import android.util.DisplayMetrics;

public class Resources {
  public static int uiMode;

  public Configuration getConfiguration() {
    Configuration configuration = new Configuration();
    configuration.uiMode = uiMode;
    return configuration;
  }

  public DisplayMetrics getDisplayMetrics() {
    return new DisplayMetrics();
  }
}
