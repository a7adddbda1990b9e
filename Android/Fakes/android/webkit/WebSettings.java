package android.webkit;

import phone.Phone;

public class WebSettings {
  public int forceDark = -1;

  public String getUserAgentString() {
    return "Mozilla/5.0 (Linux; Android 10; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/" + Phone.now().webView
        + ".0.6312.99 Mobile Safari/537.36";
  }

  public void setJavaScriptEnabled(boolean is) {}

  public void setDomStorageEnabled(boolean is) {}

  public void setAllowFileAccess(boolean is) {
    if (is) throw new AssertionError("the page needs no files");
  }

  public void setAllowContentAccess(boolean is) {
    if (is) throw new AssertionError("the page needs no contents");
  }

  public void setMediaPlaybackRequiresUserGesture(boolean is) {}

  public void setForceDark(int mode) {
    if (Phone.now().level() < 29) throw new NoSuchMethodError("setForceDark is of 29");
    forceDark = mode;
  }
}
