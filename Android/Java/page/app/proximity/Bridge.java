package app.proximity;

import android.util.Base64;
import android.webkit.JavascriptInterface;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The page's way to the phone: <code>proximityPhone</code> in its scripts.
 *
 * <p>The page is told of events by <code>proximityPhone.onchange()</code>, <code>onpermissions()</code>,
 * <code>onfile()</code> and <code>onsaved(saved)</code>, where it has set them; it then asks for what is new. Methods
 * are called on a thread of the WebView's.
 */
public final class Bridge {
  private static final long LONGEST_TEST_MS = 600_000;

  private final MainActivity activity;

  Bridge(MainActivity activity) {
    this.activity = activity;
  }

  /** A request for the engine and its answer, both base64, neither read here. */
  @JavascriptInterface public String ask(String request) {
    byte[] answer = WatchThread.ask(activity, Base64.decode(request, Base64.DEFAULT));
    return Base64.encodeToString(answer, Base64.NO_WRAP);
  }

  /** What the phone grants and what troubles the watch, as JSON. */
  @JavascriptInterface public String permissions() {
    activity.pageCame();
    return Permissions.read(activity);
  }

  /** Asks the person; the answer is told by <code>onpermissions</code>. */
  @JavascriptInterface public void request(String what) {
    activity.runOnUiThread(() -> activity.permissions.request(what));
  }

  @JavascriptInterface public void openSettings(String what) {
    activity.runOnUiThread(() -> activity.permissions.open(what));
  }

  /** Rings once after so many seconds, as an alarm would: also with the screen off. */
  @JavascriptInterface public void test(int seconds) {
    Ringer.planTest(activity, Math.max(0, Math.min(LONGEST_TEST_MS, seconds * 1_000L)));
  }

  /** A file that another application gave, as JSON with name, type and the address at which the page reads it, once; empty without one. */
  @JavascriptInterface public String takeFile() {
    return activity.takeFile();
  }

  /** Asks the person where to keep a file of the page's; <code>onsaved</code> tells whether it is there. */
  @JavascriptInterface public void save(String name, String type, String base64) {
    byte[] bytes = Base64.decode(base64, Base64.DEFAULT);
    activity.runOnUiThread(() -> activity.save(name, type, bytes));
  }

  /** Keeps a sound of a person's own under its name, to ring with; empty bytes remove it. */
  @JavascriptInterface public boolean keepSound(String name, String base64) {
    if (name.isEmpty() || name.contains("/") || name.startsWith(".") || name.length() > 100) return false;
    File folder = new File(activity.getFilesDir(), "sounds");
    byte[] bytes = Base64.decode(base64, Base64.DEFAULT);
    try {
      folder.mkdirs();
      if (bytes.length == 0) {
        Watch.disk.delete(new File(folder, name));
      } else {
        Watch.disk.write(new File(folder, ".new"), bytes);
        Watch.disk.rename(new File(folder, ".new"), new File(folder, name));
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** How alarms sound from now on: without a pause until closed, from soft to full. */
  @JavascriptInterface public void sounding(boolean isUntilClosed, boolean isRising) {
    WatchThread.post(activity, Input.PERSON, watch -> watch.ringer.choose(isUntilClosed, isRising));
  }

  /** From now on positions go to the server at this https address, with this token of a device; empty ones end that. */
  @JavascriptInterface public void report(String address, String token) {
    WatchThread.post(activity, Input.PERSON, watch -> watch.reports.change(address, token));
  }

  /** Where positions go, how many files of them wait and what the last attempt came to, as JSON. */
  @JavascriptInterface public String reports() {
    return Reports.state();
  }

  /** What happened of the first run's ten steps, what this phone is and grants, as JSON without any place. */
  @JavascriptInterface public String firstRun() {
    return new String(WatchThread.firstRun(activity, Permissions.object(activity)), StandardCharsets.UTF_8);
  }

  /** The journals of the watch, base64: evidence for whoever asks why something rang or did not. */
  @JavascriptInterface public String journal() {
    return Base64.encodeToString(WatchThread.history(activity), Base64.NO_WRAP);
  }
}
