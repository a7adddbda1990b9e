package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import android.app.Activity;
import android.content.Intent;
import org.junit.Test;

/** Tests the page's requests for permissions, and the settings screens that it opens. */
public class PermissionsTest extends AtEachLevel {
  private static final String OWN = "android.settings.APPLICATION_DETAILS_SETTINGS";

  private final Activity activity = new Activity();

  private Permissions permissions() {
    return new Permissions(activity);
  }

  private void expectOpened(String action) {
    Intent last = activity.started.get(activity.started.size() - 1);
    assertEquals(action, last.getAction());
  }

  private boolean says(String member) {
    return Permissions.read(activity).contains(member);
  }

  @Test public void thePageLearnsWhatTheBatteryAndUnusedApplicationsAreFor() {
    assertTrue(says("\"battery\":true"));
    assertTrue(says("\"unused\":true"));
    stage.phone.isExempt = false;
    stage.phone.isKeptUnused = false;
    assertTrue(says("\"battery\":false"));
    assertTrue(says("\"unused\":" + (level < 30)));
    assertTrue(says("\"trouble\":\"OPTIMISED\",\"place\":\"battery\""));
    assertEquals(level >= 30, says("\"trouble\":\"UNUSED\",\"place\":\"unused\""));
  }

  @Test public void everyTroubleLeadsToAScreenThatTheLevelHas() {
    for (Trouble trouble : Trouble.values()) permissions().open(trouble.place);
    assertEquals(Trouble.values().length, activity.started.size());
  }

  @Test public void theBatteryIsAskedForAfterTheReason() {
    permissions().request("battery");
    assertTrue(stage.phone.dialog.message.startsWith("Battery optimisation"));
    assertTrue(activity.started.isEmpty());
    stage.phone.dialog.answer(true);
    expectOpened("android.settings.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS");
    permissions().request("battery");
    stage.phone.dialog.answer(false);
    assertNull(stage.phone.dialog);
    assertEquals(1, activity.started.size());
  }

  @Test public void unusedApplicationsHaveAScreenOfTheirOwnOnAndroid11() {
    permissions().request("unused");
    stage.phone.dialog.answer(true);
    expectOpened(level == 30 ? "android.intent.action.AUTO_REVOKE_PERMISSIONS" : OWN);
  }

  @Test public void aScreenThatAMakerLeftOutIsReplacedByTheApplicationsOwn() {
    stage.phone.screens.remove("android.settings.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS");
    permissions().open("battery");
    expectOpened(OWN);
  }

  private MainActivity page() {
    MainActivity page = new MainActivity();
    stage.phone.isVisible = true;
    page.onCreate(null);
    return page;
  }

  /** Expects that a request of the page opens the settings after two refusals, and not after one. */
  private void expectSettingsWhenRefusedTwice(String what, String reason, String action) {
    MainActivity page = page();
    for (String each : stage.phone.granted.toArray(new String[0])) if (each.contains(reason)) stage.phone.granted.remove(each);
    for (int times = 1; times <= 2; times++) {
      page.permissions.request(what);
      stage.phone.dialog.answer(true);
      assertNotNull("Android asks for the time " + times, stage.phone.asked);
      stage.phone.answerPermissions(page, false);
      assertNull("nobody is led anywhere who has just said no", stage.phone.dialog);
    }
    page.permissions.request(what);
    stage.phone.dialog.answer(true);
    assertNull("Android does not ask", stage.phone.asked);
    assertTrue(page.started.isEmpty());
    stage.phone.dialog.answer(true);
    assertEquals(action, page.started.get(0).getAction());
  }

  @Test public void locationThatWasRefusedTwiceLeadsToTheSettings() {
    expectSettingsWhenRefusedTwice("location", "LOCATION", OWN);
  }

  @Test public void locationAllTheTimeThatWasRefusedTwiceLeadsToTheSettings() {
    assumeTrue(level >= 29);
    expectSettingsWhenRefusedTwice("background", "BACKGROUND", OWN);
  }

  @Test public void notificationsThatWereRefusedTwiceLeadToTheSettings() {
    assumeTrue(level >= 33);
    expectSettingsWhenRefusedTwice("notifications", "POST_NOTIFICATIONS", "android.settings.APP_NOTIFICATION_SETTINGS");
  }

  @Test public void whatIsAllowedLeadsNowhere() {
    MainActivity page = page();
    stage.phone.granted.clear();
    page.permissions.request("location");
    stage.phone.dialog.answer(true);
    stage.phone.answerPermissions(page, true);
    assertNull(stage.phone.dialog);
    assertTrue(page.started.isEmpty());
  }
}
