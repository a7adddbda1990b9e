package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import android.content.Intent;
import java.io.File;
import java.io.IOException;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;

/** Tests that each trouble which stops the watch is reported at once, and withdrawn once it is over. */
public class TroubleTest extends AtEachLevel {
  @Before public void begin() {
    stage.open().leave();
  }

  /** Expects a trouble to be reported after one broadcast of the system and withdrawn after another. */
  private void expect(Trouble trouble, String broadcast, Runnable begin, Runnable end) {
    assertFalse(stage.isTold(trouble));
    begin.run();
    stage.phone.broadcast(broadcast);
    assertTrue(trouble + " is told", stage.isTold(trouble));
    end.run();
    stage.phone.broadcast(broadcast);
    assertFalse(trouble + " is over", stage.isTold(trouble));
  }

  @Test public void nothingIsToldWhereAllIsWell() {
    for (Trouble trouble : Trouble.values()) assertFalse(trouble.toString(), stage.isTold(trouble));
  }

  @Test public void locationIsSwitchedOff() {
    expect(Trouble.LOCATION_OFF, "android.location.PROVIDERS_CHANGED",
        () -> stage.phone.isLocationOn = false, () -> stage.phone.isLocationOn = true);
    assertEquals("the engine knows that it is back", 1, Engine.flags & 1);
  }

  @Test public void theEngineLearnsThatItMayNotWatch() {
    stage.phone.isLocationOn = false;
    stage.phone.broadcast("android.location.PROVIDERS_CHANGED");
    assertEquals(0, Engine.flags & 1);
  }

  @Test public void batterySaverStopsPositions() {
    expect(Trouble.SAVER, "android.os.action.POWER_SAVE_MODE_CHANGED", () -> {
      stage.phone.isSaving = true;
      stage.phone.savesLocation = 2;
    }, () -> stage.phone.isSaving = false);
  }

  @Test public void batterySaverThatLeavesPositionsAloneIsNotTold() {
    assumeTrue(level >= 28);
    stage.phone.isSaving = true;
    stage.phone.savesLocation = 0;
    stage.phone.broadcast("android.os.action.POWER_SAVE_MODE_CHANGED");
    assertFalse(stage.isTold(Trouble.SAVER));
  }

  @Test public void exactAlarmsAreForbidden() {
    assumeTrue(level >= 31);
    expect(Trouble.INEXACT, "android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED",
        () -> stage.phone.mayBeExact = false, () -> stage.phone.mayBeExact = true);
  }

  @Test public void totalSilence() {
    expect(Trouble.TOTAL_SILENCE, "android.app.action.INTERRUPTION_FILTER_CHANGED",
        () -> stage.phone.interruptionFilter = 3, () -> stage.phone.interruptionFilter = 1);
  }

  @Test public void notificationsAreForbiddenWhichOnlyASoundCanTell() {
    assumeTrue(level >= 28);
    int before = stage.phone.heard.size();
    stage.phone.areNotificationsOn = false;
    stage.phone.broadcast("android.app.action.APP_BLOCK_STATE_CHANGED");
    assertEquals(before + 1, stage.phone.heard.size());
    stage.phone.broadcast("android.app.action.APP_BLOCK_STATE_CHANGED");
    assertEquals("once", before + 1, stage.phone.heard.size());
  }

  @Test public void notificationsAreForbiddenWhereNoBroadcastSaysSo() {
    int before = stage.phone.heard.size();
    stage.phone.areNotificationsOn = false;
    stage.walk(Stage.HOME, Stage.north(100), 61);
    assertEquals(before + 1, stage.phone.heard.size());
  }

  @Test public void aPermissionIsTakenAndTheSystemKillsTheProcess() {
    stage.phone.granted.clear();
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    assertEquals(0, Engine.flags & 1);
    assertTrue(stage.isTold(Trouble.LOCATION_DENIED) || level >= 33);
    assertEquals("notifications are off, too, which a sound tells", level >= 33, stage.phone.sounds());
    stage.phone.run(10_000);
    assertEquals("from Android 14 on the service was for the sound alone", level < 34, stage.phone.isForeground);
  }

  @Test public void onlyTheApproximateLocationIsAllowed() {
    stage.phone.granted.remove("android.permission.ACCESS_FINE_LOCATION");
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    assertTrue(stage.isTold(Trouble.IMPRECISE));
    assertEquals(1, Engine.flags & 5);
    assertTrue(stage.phone.listening.stream().noneMatch(each -> each.provider.equals("gps")));
  }

  /** Expects a trouble that begins and ends in the settings to be noticed when the page is opened and left again. */
  private void expectOnLeaving(Trouble trouble, Runnable begin, Runnable end) {
    assertFalse(stage.isTold(trouble));
    begin.run();
    stage.open();
    stage.leave();
    assertTrue(trouble + " is told", stage.isTold(trouble));
    end.run();
    stage.open().leave();
    assertFalse(trouble + " is over", stage.isTold(trouble));
  }

  @Test public void theApplicationIsNotExemptFromBatteryOptimisation() {
    expectOnLeaving(Trouble.OPTIMISED, () -> stage.phone.isExempt = false, () -> stage.phone.isExempt = true);
  }

  @Test public void theApplicationIsRestrictedInTheBackground() {
    assumeTrue(level >= 28);
    expectOnLeaving(Trouble.RESTRICTED, () -> stage.phone.restrict(), () -> stage.phone.isRestricted = false);
    stage.phone.settle();
    assertTrue("it watches again", stage.phone.isForeground);
  }

  @Test public void androidMaySwitchTheApplicationOffWhenItIsNotOpenedForMonths() {
    assumeTrue(level >= 30);
    expectOnLeaving(Trouble.UNUSED, () -> stage.phone.isKeptUnused = false, () -> stage.phone.isKeptUnused = true);
  }

  @Test public void whatThePageAsksForIsNotToldWhileItIsInView() {
    stage.phone.isExempt = false;
    stage.phone.isKeptUnused = false;
    stage.open();
    assertFalse(stage.isTold(Trouble.OPTIMISED));
    assertFalse(stage.isTold(Trouble.UNUSED));
  }

  private static final String[] ASKED = {"ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "POST_NOTIFICATIONS", "ACCESS_BACKGROUND_LOCATION"};

  /** On a phone without any granted permission, the page asks for them; meanwhile nothing sounds and nothing is reported. */
  @Test public void armingForTheFirstTimeIsQuietWhileThePageAsks() {
    stage.kill();
    stage.phone.granted.clear();
    stage.phone.heard.clear();
    stage.phone.noted.clear();
    stage.open();
    for (String each : ASKED) {
      if (each.equals("ACCESS_BACKGROUND_LOCATION") && level < 29) continue;
      stage.phone.granted.add("android.permission." + each);
      stage.answerPermissions();
      stage.phone.run(90_000);
      stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], 8);
    }
    stage.leave();
    assertEquals(Collections.emptyList(), stage.phone.heard);
    assertEquals(Collections.emptyList(), stage.phone.noted);
    assertTrue(stage.phone.isForeground);
  }

  @Test public void whatWasNotAllowedIsToldOnceThePageIsLeftAndOnceOnly() {
    stage.kill();
    stage.phone.granted.remove("android.permission.POST_NOTIFICATIONS");
    stage.phone.areNotificationsOn = false;
    stage.phone.heard.clear();
    stage.open();
    assertEquals("the page shows it", 0, stage.phone.heard.size());
    for (int times = 0; times < 2; times++) {
      stage.open().leave();
      assertEquals(1, stage.phone.heard.size());
    }
  }

  @Test public void theStorageIsFullAndItRingsAllTheSame() {
    stage.kill();
    Disk full = new Disk() {
      @Override void append(File file, byte[] bytes) throws IOException {
        throw new IOException("No space left on device");
      }
    };
    Watch.disk = full;
    stage.phone.isAllowedToStart = true;
    stage.restart();
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertTrue(stage.isTold(Trouble.STORAGE_FULL));
    assertTrue(stage.phone.shows("alarm:1"));
    assertTrue(stage.phone.sounds());
  }

  @Test public void aTroubleLeadsToItsSettings() {
    stage.phone.isLocationOn = false;
    stage.phone.broadcast(new Intent("android.location.PROVIDERS_CHANGED"));
    android.app.Notification notice = stage.phone.notifications.get("trouble:" + Trouble.LOCATION_OFF.ordinal());
    assertEquals("proximity:settings/location", notice.contentIntent.intent.getData().toString());
    assertEquals(MainActivity.class.getName(), notice.contentIntent.intent.className());
  }
}
