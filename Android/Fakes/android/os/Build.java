package android.os;

/** The device's properties. The version can be changed here. */
public class Build {
  public static String MANUFACTURER = "Google";
  public static String MODEL = "Pixel 8";

  public static class VERSION {
    public static int SDK_INT;
  }
}
