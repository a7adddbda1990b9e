package android.webkit;

import phone.Phone;

public class WebSettings {
  public int forceDark = -1;

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
