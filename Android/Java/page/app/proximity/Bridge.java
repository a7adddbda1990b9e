package app.proximity;

import android.util.Base64;
import android.webkit.JavascriptInterface;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The interface between the page and the phone: <code>proximityPhone</code> in the page's scripts.
 *
 * <p>The page is notified of events by <code>proximityPhone.onchange()</code>, <code>onpermissions()</code>, <code>onfile()</code> and
 * <code>onsaved(saved)</code>, if it has set them; it then asks for the new state. Methods are called on a thread of the WebView.
 */
public final class Bridge {
  private static final long LONGEST_TEST_MS = 600_000;

  private final MainActivity activity;

  Bridge(MainActivity activity) {
    this.activity = activity;
  }

  /** Passes a request to the engine and returns its answer, both in base64 and not interpreted here. */
  @JavascriptInterface public String ask(String request) {
    byte[] answer = WatchThread.ask(activity, Base64.decode(request, Base64.DEFAULT));
    return Base64.encodeToString(answer, Base64.NO_WRAP);
  }

  /** Returns the permissions and the troubles of the watch, as JSON. */
  @JavascriptInterface public String permissions() {
    activity.pageCame();
    return Permissions.read(activity);
  }

  /** Asks the person for a permission; the answer is announced by <code>onpermissions</code>. */
  @JavascriptInterface public void request(String what) {
    activity.runOnUiThread(() -> activity.permissions.request(what));
  }

  @JavascriptInterface public void openSettings(String what) {
    activity.runOnUiThread(() -> activity.permissions.open(what));
  }

  /** Rings once after this many seconds, as an alarm would, even with the screen off. */
  @JavascriptInterface public void test(int seconds) {
    Ringer.planTest(activity, Math.max(0, Math.min(LONGEST_TEST_MS, seconds * 1_000L)));
  }

  /**
   * Returns a file that another application gave, as JSON with its name, its type and the address at which the page can read it once; empty
   * if there is none.
   */
  @JavascriptInterface public String takeFile() {
    return activity.takeFile();
  }

  /** Asks the person where to save a file of the page; <code>onsaved</code> reports whether it was saved. */
  @JavascriptInterface public void save(String name, String type, String base64) {
    byte[] bytes = Base64.decode(base64, Base64.DEFAULT);
    activity.runOnUiThread(() -> activity.save(name, type, bytes));
  }

  /** Stores a person's own alarm sound under its name; empty bytes remove it. */
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

  /** Sets whether alarms sound without a pause until closed, and whether their volume rises from soft to full. */
  @JavascriptInterface public void sounding(boolean isUntilClosed, boolean isRising) {
    WatchThread.post(activity, Input.PERSON, watch -> watch.ringer.choose(isUntilClosed, isRising));
  }

  /** Sends positions to the server at this https address from now on, with this device token; empty strings stop that. */
  @JavascriptInterface public void report(String address, String token) {
    WatchThread.post(activity, Input.PERSON, watch -> watch.reports.change(address, token));
  }

  /** Returns the server for positions, the number of files that wait and the outcome of the last attempt, as JSON. */
  @JavascriptInterface public String reports() {
    return Reports.state();
  }

  /** Returns the completed steps of the first run's ten, this phone's properties, permissions and moved journal, as JSON. */
  @JavascriptInterface public String firstRun() {
    String report = new String(WatchThread.firstRun(activity, Permissions.object(activity)), StandardCharsets.UTF_8);
    return FirstRun.withJournal(report, WatchThread.history(activity));
  }

  /** Returns the journals of the watch, in base64: they show why something rang or did not. */
  @JavascriptInterface public String journal() {
    return Base64.encodeToString(WatchThread.history(activity), Base64.NO_WRAP);
  }
}
