package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.net.Uri;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.WebView;
import android.widget.TextView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.Test;

/** Tests the activity of the page and the alarm screen over the lock screen. */
public class ScreensTest extends AtEachLevel {
  private MainActivity page() {
    MainActivity activity = new MainActivity();
    stage.phone.isVisible = true;
    activity.onCreate(null);
    activity.onStart();
    activity.onResume();
    stage.phone.settle();
    return activity;
  }

  private static WebView web(MainActivity activity) {
    return (WebView) ((ViewGroup) activity.content).children.get(0);
  }

  private AlarmActivity alarm() {
    AlarmActivity activity = new AlarmActivity();
    activity.onCreate(null);
    activity.onStart();
    stage.phone.settle();
    return activity;
  }

  private static List<TextView> words(View view) {
    List<TextView> found = new ArrayList<>();
    if (view instanceof TextView) found.add((TextView) view);
    if (view instanceof ViewGroup) for (View each : ((ViewGroup) view).children) found.addAll(words(each));
    return found;
  }

  private static TextView named(AlarmActivity activity, String text) {
    for (TextView each : words(activity.content)) if (each.text.toString().equals(text)) return each;
    throw new AssertionError("there is no " + text);
  }

  @Test public void thePageIsOfTheApplicationAndWatchesAtOnce() {
    MainActivity activity = page();
    assertEquals("https://proximity.invalid/", web(activity).address);
    assertTrue(stage.phone.isForeground);
    assertTrue(web(activity).scripts.stream().anyMatch(each -> each.contains("proximityPhone.onchange")));
    web(activity).scripts.clear();
    activity.onStop();
    stage.phone.settle();
    stage.walk(Stage.HOME, Stage.north(100), 5);
    assertTrue("out of view nothing is told", web(activity).scripts.isEmpty());
  }

  @Test public void thePageAsksTheEngineAndIsAnswered() throws InterruptedException {
    MainActivity activity = page();
    Bridge bridge = (Bridge) web(activity).bridge;
    String[] answer = {null};
    String request = Base64.getEncoder().encodeToString("disarm".getBytes(StandardCharsets.UTF_8));
    Thread thread = new Thread(() -> answer[0] = bridge.ask(request));
    thread.start();
    while (thread.isAlive()) {
      stage.phone.settle();
      Thread.onSpinWait();
    }
    assertEquals(request, answer[0]);
    assertFalse(stage.phone.isForeground);
  }

  @Test public void backGoesBackInThePageAndThenOutOfView() {
    MainActivity activity = page();
    web(activity).hasBefore = true;
    activity.back();
    assertFalse(web(activity).hasBefore);
    assertFalse(activity.isInBack);
    activity.back();
    assertTrue(activity.isInBack);
    assertFalse(activity.isFinished);
  }

  /** From target SDK 35 on, windows extend under the system bars; from 36 on, no theme can prevent it. */
  @Test public void nothingLiesUnderTheBarsOfTheSystem() {
    assertTrue(page().content.fitsSystemWindows);
    assertTrue(alarm().content.fitsSystemWindows);
  }

  @Test public void anotherOriginIsOpenedElsewhere() {
    MainActivity activity = page();
    assertFalse(web(activity).client.shouldOverrideUrlLoading(web(activity), new PageRequest("https://proximity.invalid/zones")));
    assertTrue(web(activity).client.shouldOverrideUrlLoading(web(activity), new PageRequest("https://example.org/")));
    assertEquals("https://example.org/", activity.started.get(0).getData().toString());
    assertTrue(web(activity).client.shouldOverrideUrlLoading(web(activity), new PageRequest("https://proximity.invalid.example.org/")));
  }

  @Test public void aTroublesNotificationLeadsToItsSettings() {
    MainActivity activity = page();
    activity.onNewIntent(new Intent("settings", Uri.parse("proximity:settings/location")));
    assertEquals("android.settings.LOCATION_SOURCE_SETTINGS", activity.started.get(0).getAction());
  }

  private void arrive() {
    stage.open().leave();
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void theAlarmsScreenSaysWhatRingsAndCloses() {
    arrive();
    AlarmActivity activity = alarm();
    assertEquals("Zone 0", words(activity.content).get(0).text.toString());
    assertEquals("You are inside", words(activity.content).get(1).text.toString());
    named(activity, "Close").performClick();
    stage.phone.settle();
    assertFalse(stage.phone.shows("alarm:1"));
    assertTrue("nothing rings, so it goes", activity.isFinished);
  }

  @Test public void theAlarmsScreenStopsFirstOfAll() {
    arrive();
    AlarmActivity activity = alarm();
    assertEquals("Stop", words(activity.content).get(2).text.toString());
    named(activity, "Stop").performClick();
    stage.phone.settle();
    assertFalse(stage.phone.shows("alarm:1"));
    stage.phone.run(60_000);
    assertFalse("no repeat", stage.phone.sounds());
    assertTrue(activity.isFinished);
  }

  @Test public void theAlarmsScreenSleeps() {
    arrive();
    named(alarm(), "Sleep").performClick();
    stage.phone.settle();
    assertFalse(stage.phone.shows("alarm:1"));
    assertTrue(Engine.heard.contains(13));
  }

  @Test public void theAlarmsScreenInAProcessOfItsOwn() {
    arrive();
    stage.kill();
    stage.phone.isVisible = true;
    AlarmActivity activity = alarm();
    assertFalse(activity.isFinished);
    named(activity, "Close").performClick();
    stage.phone.settle();
    assertFalse(stage.phone.shows("alarm:1"));
  }

  @Test public void volumeKeysSilenceAndTheAlarmStays() {
    arrive();
    AlarmActivity activity = alarm();
    assertTrue(stage.phone.sounds());
    assertTrue(activity.onKeyDown(KeyEvent.KEYCODE_VOLUME_DOWN, null));
    stage.phone.settle();
    assertFalse(stage.phone.sounds());
    assertTrue(stage.phone.shows("alarm:1"));
    assertFalse(activity.isFinished);
  }
}
