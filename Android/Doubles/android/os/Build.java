package android.os;

/** The version is a variable here. */
public class Build {
  public static String MANUFACTURER = "Google";
  public static String MODEL = "Pixel 8";

  public static class VERSION {
    public static int SDK_INT;
  }
}
