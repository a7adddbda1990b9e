package android.webkit;

import android.content.Context;
import android.view.ViewGroup;
import java.util.ArrayList;
import java.util.List;
import phone.Phone;

/** A WebView that shows nothing and records the calls for the test. */
public class WebView extends ViewGroup {
  public final List<String> scripts = new ArrayList<>();
  public final WebSettings settings = new WebSettings();
  public Object bridge;
  public String address;
  public WebViewClient client;
  public boolean hasBefore;

  public WebView(Context context) {
    if (Phone.now().webView == 0) throw new MissingWebViewPackageException("Failed to load WebView provider: No WebView installed");
  }

  /** The exception of the system's WebViewFactory, whose class is hidden from applications. */
  private static final class MissingWebViewPackageException extends RuntimeException {
    MissingWebViewPackageException(String message) {
      super(message);
    }
  }

  public WebSettings getSettings() {
    return settings;
  }

  public void setWebViewClient(WebViewClient client) {
    this.client = client;
  }

  public void setWebChromeClient(WebChromeClient client) {}

  public void addJavascriptInterface(Object object, String name) {
    if (!name.equals("proximityPhone")) throw new AssertionError(name);
    bridge = object;
  }

  public void loadUrl(String address) {
    this.address = address;
  }

  public void evaluateJavascript(String script, ValueCallback callback) {
    scripts.add(script);
  }

  public boolean canGoBack() {
    return hasBefore;
  }

  public void goBack() {
    hasBefore = false;
  }

  public void destroy() {}
}
