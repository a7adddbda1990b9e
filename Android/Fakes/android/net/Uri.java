package android.net;

import java.net.URI;

public class Uri {
  private final URI uri;

  private Uri(URI uri) {
    this.uri = uri;
  }

  public static Uri parse(String text) {
    return new Uri(URI.create(text));
  }

  public static Uri fromParts(String scheme, String part, String fragment) {
    return parse(scheme + ":" + part);
  }

  public String getScheme() {
    return uri.getScheme();
  }

  public String getSchemeSpecificPart() {
    return uri.getSchemeSpecificPart();
  }

  public String getHost() {
    return uri.getHost();
  }

  public String getPath() {
    return uri.getPath();
  }

  public String getLastPathSegment() {
    String path = uri.getPath();
    return path == null || path.isEmpty() ? null : path.substring(path.lastIndexOf('/') + 1);
  }

  @Override public String toString() {
    return uri.toString();
  }
}
