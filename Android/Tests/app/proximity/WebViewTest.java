package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.res.Configuration;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.WebView;
import android.widget.Button;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Tests a phone whose WebView is missing or too old for the page: the application reports it and continues to watch. */
public class WebViewTest extends AtEachLevel {
  private MainActivity open(int version) {
    stage.phone.webView = version;
    stage.phone.isVisible = true;
    MainActivity activity = new MainActivity();
    activity.onCreate(null);
    activity.onStart();
    activity.onResume();
    stage.phone.settle();
    return activity;
  }

  private static <T extends View> List<T> all(Class<T> kind, View view) {
    List<T> found = new ArrayList<>();
    if (kind.isInstance(view)) found.add(kind.cast(view));
    if (view instanceof ViewGroup) for (View each : ((ViewGroup) view).children) found.addAll(all(kind, each));
    return found;
  }

  private static String first(MainActivity activity) {
    return all(TextView.class, activity.content).get(0).text.toString();
  }

  /** Expects that the application still works: the zone 500 m away rings. */
  private void expectItWatches(MainActivity activity) {
    activity.onConfigurationChanged(new Configuration());
    activity.onResume();
    activity.onRequestPermissionsResult(1, new String[0], new int[0]);
    assertTrue(stage.phone.isForeground);
    activity.back();
    assertTrue(activity.isInBack);
    activity.onStop();
    activity.onDestroy();
    stage.leave();
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void withoutAWebViewASentenceSaysSoAndTheWatchGoesOn() {
    MainActivity activity = open(0);
    assertTrue(first(activity), first(activity).startsWith("The page cannot be shown: this phone has no Android System WebView"));
    assertTrue(first(activity), first(activity).contains(Integer.toString(WebViewNotice.NEEDED)));
    assertTrue(all(WebView.class, activity.content).isEmpty());
    assertEquals("without a WebView there is no page to show anyway", 1, all(Button.class, activity.content).size());
    expectItWatches(activity);
  }

  @Test public void anOldWebViewIsNamedWithTheVersionThatIsNeeded() {
    MainActivity activity = open(74);
    assertTrue(first(activity), first(activity).contains("WebView 123 or newer, and this phone has 74."));
    assertTrue(all(WebView.class, activity.content).isEmpty());
    expectItWatches(activity);
  }

  @Test public void whoWantsToSeesThePageAnyway() {
    MainActivity activity = open(WebViewNotice.NEEDED - 1);
    all(Button.class, activity.content).get(1).performClick();
    assertEquals(1, all(WebView.class, activity.content).size());
    assertTrue(all(Button.class, activity.content).isEmpty());
    assertEquals(PageFiles.HOME, all(WebView.class, activity.content).get(0).address);
  }

  @Test public void aNewEnoughOneShowsThePage() {
    for (int version : new int[] {WebViewNotice.NEEDED, 200}) {
      MainActivity activity = open(version);
      assertEquals(PageFiles.HOME, all(WebView.class, activity.content).get(0).address);
      assertTrue(all(TextView.class, activity.content).isEmpty());
    }
  }

  @Test public void theStoreIsOpenedOrItsAddressOrNothing() {
    for (boolean hasBrowser : new boolean[] {true, false}) {
      for (boolean hasStore : new boolean[] {true, false}) {
        MainActivity activity = open(0);
        stage.phone.hasStore = hasStore;
        stage.phone.hasBrowser = hasBrowser;
        all(Button.class, activity.content).get(0).performClick();
        assertEquals(hasStore || hasBrowser ? 1 : 0, activity.started.size());
        if (hasStore) assertEquals("market", activity.started.get(0).getData().getScheme());
        else if (hasBrowser) assertEquals("https", activity.started.get(0).getData().getScheme());
      }
    }
  }

  @Test public void aNameWithoutAVersionIsNoReasonToHideThePage() {
    assertEquals(0, WebViewNotice.version(null));
    assertEquals(0, WebViewNotice.version("Mozilla/5.0 Chrome/"));
    assertEquals(119, WebViewNotice.version("Version/4.0 Chrome/119.0.6045.193 Mobile"));
    assertFalse(WebViewNotice.isTooOld(0));
    assertTrue(WebViewNotice.isTooOld(122));
    assertFalse(WebViewNotice.isTooOld(123));
  }
}
