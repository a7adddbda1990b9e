package app.proximity;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.content.res.Configuration;
import android.graphics.Color;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.FrameLayout;
import android.window.OnBackInvokedDispatcher;
import java.io.IOException;
import java.io.OutputStream;

/** The activity with the page from the APK. The engine decides on all that the page shows and asks. */
public final class MainActivity extends Activity {
  private static final int CHOOSE = 10;
  private static final int SAVE = 11;

  Permissions permissions;
  /** Null if this phone has no WebView. */
  private WebView web;
  private FrameLayout frame;
  private PageFiles files;
  // Without a type parameter: class files made from Android's API list have none.
  private ValueCallback chosen;
  private byte[] toSave;
  private long begun;
  private volatile boolean hasPage;
  /** A file that the page was not notified of yet, and the one that it may read. */
  private volatile GivenFile given;
  private volatile GivenFile offered;

  @Override protected void onCreate(Bundle state) {
    super.onCreate(state);
    begun = Clock.uptime();
    permissions = new Permissions(this);
    files = new PageFiles(getAssets());
    GivenFile.tidy(this);
    frame = new FrameLayout(this);
    frame.setFitsSystemWindows(true);
    setContentView(frame);
    show();
    if (Build.VERSION.SDK_INT >= 33) {
      getOnBackInvokedDispatcher().registerOnBackInvokedCallback(OnBackInvokedDispatcher.PRIORITY_DEFAULT, this::goBack);
    }
    WatchThread.post(this, Input.PERSON, watch -> {});
    take(getIntent());
  }

  private void show() {
    try {
      web = new WebView(this);
    } catch (RuntimeException | LinkageError e) {
      // The WebView is uninstalled, disabled or being updated. The watch does not need it.
      frame.addView(WebViewNotice.view(this, 0, null));
      colour(getResources().getConfiguration());
      return;
    }
    int version = WebViewNotice.version(web.getSettings().getUserAgentString());
    if (WebViewNotice.isTooOld(version)) {
      frame.addView(WebViewNotice.view(this, version, this::load));
      colour(getResources().getConfiguration());
    } else {
      load();
    }
  }

  private void load() {
    frame.removeAllViews();
    WebSettings settings = web.getSettings();
    settings.setJavaScriptEnabled(true);
    settings.setDomStorageEnabled(true);
    settings.setAllowFileAccess(false);
    settings.setAllowContentAccess(false);
    settings.setMediaPlaybackRequiresUserGesture(false);
    web.setWebViewClient(new Client());
    web.setWebChromeClient(new Chooser());
    web.addJavascriptInterface(new Bridge(this), "proximityPhone");
    frame.addView(web, new FrameLayout.LayoutParams(
        ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT));
    colour(getResources().getConfiguration());
    web.loadUrl(PageFiles.HOME);
  }

  /** Applies the system's light or dark theme behind the page and around it. */
  private void colour(Configuration configuration) {
    boolean isDark = (configuration.uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES;
    int colour = isDark ? 0xff0b1113 : 0xfff3f5f4;
    frame.setBackgroundColor(colour);
    if (web != null) web.setBackgroundColor(colour);
    // From Android 13 on, the page gets it from the theme.
    if (web != null && Build.VERSION.SDK_INT >= 29 && Build.VERSION.SDK_INT < 33) {
      web.getSettings().setForceDark(isDark ? WebSettings.FORCE_DARK_ON : WebSettings.FORCE_DARK_OFF);
    }
    getWindow().setStatusBarColor(Color.TRANSPARENT);
    getWindow().getDecorView().setSystemUiVisibility(isDark ? 0 : View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR);
  }

  @Override public void onConfigurationChanged(Configuration configuration) {
    super.onConfigurationChanged(configuration);
    colour(configuration);
  }

  @Override protected void onStart() {
    super.onStart();
    WatchThread.post(this, Input.PERSON, watch -> {
      WatchThread.observe(() -> tell("onchange", ""));
      watch.setForeground(true);
    });
  }

  /** Also called after a system dialog, which hides the page only in part. */
  @Override protected void onResume() {
    super.onResume();
    tell("onpermissions", "");
  }

  @Override protected void onStop() {
    WatchThread.post(this, Input.PERSON, watch -> {
      WatchThread.observe(null);
      watch.setForeground(false);
    });
    super.onStop();
  }

  /** Calls a function of the page if the page has set it. From any thread. */
  private void tell(String event, String argument) {
    String script = "typeof proximityPhone." + event + "==='function'&&proximityPhone." + event + "(" + argument + ")";
    if (web != null) runOnUiThread(() -> web.evaluateJavascript(script, null));
  }

  @Override public void onRequestPermissionsResult(int request, String[] names, int[] results) {
    WatchThread.post(this, Input.PERSON, Watch::refresh);
    permissions.answered(request, names, results);
    tell("onpermissions", "");
  }

  @Override protected void onNewIntent(Intent intent) {
    super.onNewIntent(intent);
    take(intent);
  }

  /** Handles a zone file from "open with" or share, or a trouble whose settings are requested. */
  private void take(Intent intent) {
    if (intent == null || intent.getAction() == null) return;
    if (intent.getAction().equals("settings") && intent.getData() != null) {
      permissions.open(intent.getData().getSchemeSpecificPart().replaceFirst("^.*/", ""));
      return;
    }
    GivenFile.read(this, intent, file -> {
      GivenFile before = given;
      given = file;
      if (before != null) before.end();
      tell("onfile", "");
    });
  }

  /** Records the page's first call of the bridge. From a thread of the WebView. */
  void pageCame() {
    if (hasPage) return;
    hasPage = true;
    long took_ms = Clock.uptime() - begun;
    WatchThread.post(this, Input.PERSON, watch -> watch.firstRun.pageCame(took_ms));
  }

  String takeFile() {
    GivenFile file = given;
    if (file == null) return "";
    given = null;
    if (offered != null) offered.end();
    offered = file;
    return file.json();
  }

  private WebResourceResponse answerGiven(WebResourceRequest request) {
    GivenFile file = offered;
    return file == null ? null : file.answer(request);
  }

  void save(String name, String type, byte[] bytes) {
    toSave = bytes;
    Intent intent = new Intent(Intent.ACTION_CREATE_DOCUMENT).addCategory(Intent.CATEGORY_OPENABLE).setType(type)
        .putExtra(Intent.EXTRA_TITLE, name);
    begin(intent, SAVE);
  }

  private boolean begin(Intent intent, int number) {
    try {
      startActivityForResult(intent, number);
      return true;
    } catch (ActivityNotFoundException e) {
      if (number == SAVE) tell("onsaved", "false");
      return false;
    }
  }

  @Override protected void onActivityResult(int request, int result, Intent data) {
    Uri uri = result == RESULT_OK && data != null ? data.getData() : null;
    if (request == CHOOSE && chosen != null) {
      chosen.onReceiveValue(uri == null ? null : new Uri[] {uri});
      chosen = null;
    }
    if (request == SAVE) {
      byte[] bytes = toSave;
      toSave = null;
      new Thread(() -> tell("onsaved", Boolean.toString(write(uri, bytes)))).start();
    }
  }

  private boolean write(Uri uri, byte[] bytes) {
    if (uri == null || bytes == null) return false;
    try (OutputStream out = getContentResolver().openOutputStream(uri, "wt")) {
      if (out == null) return false;
      out.write(bytes);
      return true;
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /** Used below Android 13. Newer versions use the callback, and from target 36 on only that. */
  @Override public void onBackPressed() {
    goBack();
  }

  /** Goes back in the page. On its first screen the application goes to the background and continues to watch. */
  private void goBack() {
    if (web != null && web.canGoBack()) web.goBack();
    else moveTaskToBack(true);
  }

  @Override protected void onDestroy() {
    if (web != null) web.destroy();
    super.onDestroy();
  }

  private final class Client extends WebViewClient {
    @Override public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
      WebResourceResponse answer = answerGiven(request);
      return answer != null ? answer : files.answer(request);
    }

    /** Never shows another origin here, since it would have the bridge. */
    @Override public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
      if (PageFiles.HOST.equals(request.getUrl().getHost())) return false;
      try {
        startActivity(new Intent(Intent.ACTION_VIEW, request.getUrl()));
      } catch (ActivityNotFoundException e) {
        return true; // Nobody on this phone opens it.
      }
      return true;
    }

    @Override public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
      recreate(); // The watch goes on; only its face is drawn anew.
      return true;
    }
  }

  private final class Chooser extends WebChromeClient {
    @Override public boolean onShowFileChooser(
        WebView view, ValueCallback callback, FileChooserParams parameters) {
      if (chosen != null) chosen.onReceiveValue(null);
      chosen = callback;
      Intent intent = new Intent(Intent.ACTION_GET_CONTENT).addCategory(Intent.CATEGORY_OPENABLE).setType("*/*");
      if (begin(intent, CHOOSE)) return true;
      chosen = null;
      return false;
    }
  }
}
