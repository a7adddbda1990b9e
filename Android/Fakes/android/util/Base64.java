package android.util;

public class Base64 {
  public static byte[] decode(String text, int flags) {
    return java.util.Base64.getMimeDecoder().decode(text);
  }

  public static String encodeToString(byte[] bytes, int flags) {
    return java.util.Base64.getEncoder().encodeToString(bytes);
  }
}
