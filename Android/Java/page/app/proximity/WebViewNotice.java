package app.proximity;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.content.res.Configuration;
import android.net.Uri;
import android.view.Gravity;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shown instead of the page if this phone's WebView is missing or too old for it. Android updates the WebView separately from itself. */
final class WebViewNotice {
  /** The first version that supports <code>light-dark()</code>, with which the page defines all its colours. */
  static final int NEEDED = 123;

  private static final Pattern CHROME = Pattern.compile("Chrome/([0-9]{1,6})");
  private static final String[] STORES = {
    "market://details?id=com.google.android.webview", "https://play.google.com/store/apps/details?id=com.google.android.webview"};

  private WebViewNotice() {}

  /** Returns the version in a WebView's user agent; 0 if there is none. */
  static int version(String agent) {
    Matcher matcher = CHROME.matcher(agent == null ? "" : agent);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  static boolean isTooOld(int version) {
    return version > 0 && version < NEEDED;
  }

  /**
   * Returns a view that says which version is installed, which is needed and how to update.
   *
   * @param version the version of the WebView, or 0 if there is none
   * @param anyway shows the page all the same
   */
  static View view(Activity activity, int version, Runnable anyway) {
    LinearLayout column = new LinearLayout(activity);
    column.setOrientation(LinearLayout.VERTICAL);
    column.setGravity(Gravity.CENTER);
    int edge = Math.round(24 * activity.getResources().getDisplayMetrics().density);
    column.setPadding(edge, edge, edge, edge);
    column.addView(words(activity, version == 0 ? activity.getString(R.string.webview_missing, Integer.toString(NEEDED))
        : activity.getString(R.string.webview_old, Integer.toString(NEEDED), Integer.toString(version))));
    column.addView(words(activity, activity.getString(R.string.webview_do)));
    column.addView(button(activity, R.string.webview_update, () -> open(activity)));
    if (version > 0) column.addView(button(activity, R.string.webview_anyway, anyway));
    ScrollView scroll = new ScrollView(activity);
    scroll.setFillViewport(true);
    scroll.addView(column);
    return scroll;
  }

  private static TextView words(Activity activity, String text) {
    TextView view = new TextView(activity);
    view.setText(text);
    view.setTextSize(18);
    boolean isDark = (activity.getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK)
        == Configuration.UI_MODE_NIGHT_YES;
    view.setTextColor(isDark ? 0xffe6eced : 0xff0e1b1e);
    return view;
  }

  private static View button(Activity activity, int words, Runnable action) {
    Button button = new Button(activity);
    button.setText(words);
    button.setOnClickListener(view -> action.run());
    return button;
  }

  /** Opens the store's page of the WebView, or its address in a browser if there is no store. */
  private static void open(Activity activity) {
    for (String store : STORES) {
      try {
        activity.startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(store)));
        return;
      } catch (ActivityNotFoundException e) {
        continue; // This phone has neither: the words on the screen remain.
      }
    }
  }
}
