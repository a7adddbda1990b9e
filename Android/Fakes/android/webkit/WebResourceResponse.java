package android.webkit;

import java.io.InputStream;
import java.util.Map;

public class WebResourceResponse {
  public final String type;
  public final int status;
  public final Map<String, String> headers;
  public final InputStream data;

  public WebResourceResponse(
      String type, String encoding, int status, String reason, Map<String, String> headers, InputStream data) {
    if (status < 100 || status > 599 || status > 299 && status < 400) throw new IllegalArgumentException("status " + status);
    if (reason.isEmpty()) throw new IllegalArgumentException("reason");
    this.type = type;
    this.status = status;
    this.headers = headers;
    this.data = data;
  }
}
