package app.proximity;

import android.net.Uri;
import android.webkit.WebResourceRequest;
import java.util.Collections;
import java.util.Map;

/** A request of the page, as the WebView passes it on. */
final class PageRequest implements WebResourceRequest {
  private final String address;
  private final String method;
  private final Map<String, String> headers;

  PageRequest(String address, String method, Map<String, String> headers) {
    this.address = address;
    this.method = method;
    this.headers = headers;
  }

  PageRequest(String address) {
    this(address, "GET", Collections.emptyMap());
  }

  @Override public Uri getUrl() {
    return Uri.parse(address);
  }

  @Override public String getMethod() {
    return method;
  }

  @Override public Map<String, String> getRequestHeaders() {
    return headers;
  }

  // No @Override: the fakes do not declare methods that the application never calls.
  public boolean hasGesture() {
    return false;
  }

  public boolean isForMainFrame() {
    return false;
  }

  public boolean isRedirect() {
    return false;
  }
}
