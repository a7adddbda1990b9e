package android.app;

import android.content.ActivityNotFoundException;
import android.content.ContextWrapper;
import android.content.Intent;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.Bundle;
import android.view.KeyEvent;
import android.view.View;
import android.view.Window;
import android.window.OnBackInvokedCallback;
import android.window.OnBackInvokedDispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import phone.Phone;

/** A screen of the application. A test calls the callbacks in place of the system. */
public class Activity extends ContextWrapper {
  public View content;
  public boolean isFinished;
  public boolean isInBack;
  public final List<Intent> started = new ArrayList<>();
  public final List<String> asked = new ArrayList<>();
  private Intent intent = new Intent();

  public Activity() {
    super(null);
  }

  protected void onCreate(Bundle state) {}

  protected void onStart() {}

  protected void onResume() {}

  protected void onStop() {}

  protected void onDestroy() {}

  protected void onNewIntent(Intent intent) {}

  public void onConfigurationChanged(Configuration configuration) {}

  public boolean onKeyDown(int key, KeyEvent event) {
    return false;
  }

  public final Intent getIntent() {
    return intent;
  }

  public final void setIntent(Intent intent) {
    this.intent = intent;
  }

  public Window getWindow() {
    return new Window();
  }

  public Resources getResources() {
    return new Resources();
  }

  public void setContentView(View view) {
    content = view;
  }

  public void setShowWhenLocked(boolean is) {
    if (Phone.now().level() < 27) throw new NoSuchMethodError("setShowWhenLocked is of 27");
  }

  public void setTurnScreenOn(boolean is) {}

  private final TreeMap<Integer, List<OnBackInvokedCallback>> backs = new TreeMap<>();

  public OnBackInvokedDispatcher getOnBackInvokedDispatcher() {
    if (Phone.now().level() < 33) throw new NoSuchMethodError("getOnBackInvokedDispatcher is of 33");
    return new OnBackInvokedDispatcher() {
      @Override public void registerOnBackInvokedCallback(int priority, OnBackInvokedCallback callback) {
        if (priority < 0) throw new IllegalArgumentException("priority " + priority);
        backs.computeIfAbsent(priority, each -> new ArrayList<>()).add(callback);
      }
    };
  }

  public void onBackPressed() {
    finish();
  }

  /**
   * Goes back, reported as in the current version of Android: "onBackPressed is not called and KeyEvent.KEYCODE_BACK is not
   * dispatched anymore" (developer.android.com, behaviour changes of Android 16). Among callbacks, the last one with the
   * highest priority is called.
   */
  public final void back() {
    if (!Phone.now().manifest.tellsBackByCallback(Phone.now().level())) {
      onBackPressed();
    } else if (backs.isEmpty()) {
      isInBack = true;
    } else {
      List<OnBackInvokedCallback> highest = backs.lastEntry().getValue();
      highest.get(highest.size() - 1).onBackInvoked();
    }
  }

  public void finish() {
    isFinished = true;
  }

  public boolean moveTaskToBack(boolean always) {
    isInBack = true;
    return true;
  }

  /** Opens a screen of the settings if this level has it; a browser or a store opens addresses. */
  public void startActivity(Intent intent) {
    String name = intent.elsewhere() == null ? intent.getAction() : intent.elsewhere();
    boolean isView = "android.intent.action.VIEW".equals(intent.getAction());
    boolean isStore = isView && "market".equals(intent.getData().getScheme());
    boolean isThere = isView && (isStore ? Phone.now().hasStore : Phone.now().hasBrowser) || Phone.now().screens.contains(name);
    if (Phone.now().closedScreens.contains(name)) {
      throw new SecurityException("Permission Denial: starting Intent { " + name + " } not exported");
    }
    if (!isThere) throw new ActivityNotFoundException("No Activity found to handle " + intent.getAction());
    started.add(intent);
  }

  public final void requestPermissions(String[] names, int number) {
    asked.addAll(List.of(names));
    for (String each : names) {
      boolean isOf33 = each.endsWith("POST_NOTIFICATIONS") && Phone.now().level() < 33;
      if (isOf33 || each.endsWith("BACKGROUND_LOCATION") && Phone.now().level() < 29) throw new AssertionError(each + " is newer");
    }
    // "If the user taps Deny for a specific permission more than once, the user doesn't see the system permissions dialog."
    boolean isShown = java.util.Arrays.stream(names).anyMatch(each -> !Phone.now().granted.contains(each) && refusals(each) < 2);
    if (isShown) {
      Phone.now().asked = names;
      Phone.now().askedNumber = number;
    } else {
      Phone.now().post(null, () -> Phone.now().tellPermissions(this, number, names), 0);
    }
  }

  private static int refusals(String name) {
    return Phone.now().refusals.getOrDefault(name, 0);
  }

  public boolean shouldShowRequestPermissionRationale(String name) {
    return !Phone.now().granted.contains(name) && refusals(name) == 1;
  }

  public void onRequestPermissionsResult(int number, String[] names, int[] results) {}

  public final void runOnUiThread(Runnable action) {
    Phone.now().post(null, action, 0);
  }
}
