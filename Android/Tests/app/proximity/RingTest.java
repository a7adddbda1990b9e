package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import android.content.res.AssetManager;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;

/** Tests the notification and the sound of an alarm, and how it ends. */
public class RingTest extends AtEachLevel {
  @Before public void begin() {
    AssetManager.FILES.clear();
    stage.open().leave();
  }

  private void arrive() {
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void itIsOverTheLockWithSoundAndAllAnswers() {
    arrive();
    android.app.Notification notice = stage.phone.notification("alarm:1");
    assertEquals("Zone 0", notice.title.toString());
    assertEquals("alarm", notice.category);
    assertNotNull(notice.fullScreenIntent);
    assertEquals(AlarmActivity.class.getName(), notice.fullScreenIntent.intent.className());
    assertEquals(3, notice.actions.size());
    assertTrue(notice.isOngoing);
    assertTrue(stage.phone.sounds());
    assertTrue(stage.phone.vibrates);
    assertEquals("/system/alarm_alert", stage.phone.heard.get(0).replaceFirst(".*settings", ""));
  }

  @Test public void aSoundEndsAndEachRepeatSoundsAgain() {
    arrive();
    stage.phone.run(5_500);
    assertFalse(stage.phone.sounds());
    assertFalse(stage.phone.vibrates);
    stage.phone.run(5_500);
    assertTrue(stage.phone.sounds());
    assertEquals(2, stage.phone.heard.size());
    stage.phone.run(60_000);
    assertEquals(8, stage.phone.heard.size());
    assertEquals("shown once", 1, Collections.frequency(stage.phone.noted, "+alarm:1"));
  }

  private void choose(boolean isUntilClosed, boolean isRising) {
    WatchThread.post(stage.context, Input.PERSON, watch -> watch.ringer.choose(isUntilClosed, isRising));
    stage.phone.settle();
  }

  @Test public void untilClosedItSoundsWithoutAPauseAndAClosedAlarmHasPauses() {
    choose(true, false);
    arrive();
    for (int second = 0; second < 60; second++) {
      stage.phone.run(1_000);
      assertTrue("after " + second + " s", stage.phone.sounds());
    }
    assertEquals("never begun anew", 1, stage.phone.heard.size());
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.sounds());
    stage.phone.run(10_500);
    assertTrue("it repeats", stage.phone.sounds());
    stage.phone.run(6_000);
    assertFalse("with pauses", stage.phone.sounds());
  }

  @Test public void untilClosedItOutlastsARestartAndEndsWithoutARepeat() {
    choose(true, false);
    arrive();
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    stage.phone.run(8_000);
    assertTrue("kept over the restart", stage.phone.sounds());
    stage.walk(Stage.north(401), Stage.north(350), 2);
    assertFalse("left", stage.phone.sounds());
  }

  @Test public void theVolumeRisesWithinTwentySeconds() {
    choose(true, true);
    arrive();
    float before = stage.phone.volume;
    assertTrue("soft: " + before, before < 0.2f);
    for (int second = 0; second < 20; second++) {
      stage.phone.run(1_000);
      assertTrue("louder", stage.phone.volume >= before);
      before = stage.phone.volume;
    }
    assertEquals(1, before, 0.001f);
    stage.phone.touch("alarm:1", "Close");
    choose(false, false);
    stage.phone.run(10_500);
    assertEquals("as loud as ever", 1, stage.phone.volume, 0.001f);
  }

  @Test public void leavingTakesItBackAndSilencesIt() {
    arrive();
    stage.walk(Stage.north(401), Stage.north(350), 2);
    assertFalse(stage.phone.shows("alarm:1"));
    assertFalse(stage.phone.sounds());
    assertTrue(Ringer.shown().isEmpty());
  }

  @Test public void closeTakesItsNotificationAndItStaysAwayAfterARestart() {
    arrive();
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.shows("alarm:1"));
    assertFalse(stage.phone.sounds());
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    assertFalse(stage.phone.shows("alarm:1"));
    assertEquals(1, Collections.frequency(stage.phone.noted, "+alarm:1"));
  }

  @Test public void sleepIsTheEngines() {
    arrive();
    stage.phone.touch("alarm:1", "Sleep");
    assertFalse(stage.phone.shows("alarm:1"));
    assertTrue(Engine.heard.contains(13));
  }

  @Test public void stopEndsItAndItStaysAwayAfterARestart() {
    arrive();
    stage.phone.touch("alarm:1", "Stop");
    assertFalse(stage.phone.shows("alarm:1"));
    assertFalse(stage.phone.sounds());
    stage.phone.run(60_000);
    assertFalse("no repeat", stage.phone.sounds());
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    assertFalse(stage.phone.shows("alarm:1"));
    assertFalse(stage.phone.sounds());
  }

  @Test public void theAnswerIsHeardWithTheProcessGone() {
    arrive();
    stage.kill();
    assertTrue("the notification stays", stage.phone.shows("alarm:1"));
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.shows("alarm:1"));
  }

  @Test public void afterARestartItRingsOnWithoutASecondNotification() {
    arrive();
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    assertTrue(stage.phone.shows("alarm:1"));
    assertTrue(stage.phone.sounds());
    assertEquals(1, Ringer.shown().size());
    assertEquals(1, Collections.frequency(stage.phone.noted, "+alarm:1"));
    assertEquals(0, Collections.frequency(stage.phone.noted, "+alarm:2"));
  }

  @Test public void aStartOfThePhoneShowsItAgain() {
    arrive();
    stage.reboot();
    assertTrue(stage.phone.shows("alarm:1"));
    assertTrue(stage.phone.sounds());
  }

  @Test public void withoutNotificationsItSounds() {
    stage.phone.areNotificationsOn = false;
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertNull(stage.phone.notification("alarm:1"));
    assertTrue(stage.phone.sounds());
    assertEquals(1, Ringer.shown().size());
  }

  @Test public void theRehearsalRingsOnceByTimerAndEndsByStop() {
    Ringer.planTest(stage.context, 10_000);
    stage.phone.run(9_000);
    assertFalse(stage.phone.sounds());
    stage.phone.run(2_000);
    String tag = "alarm:" + Long.toUnsignedString(Ringer.TEST_ALARM);
    assertTrue(stage.phone.shows(tag));
    assertTrue(stage.phone.sounds());
    assertEquals("Test alarm", stage.phone.notification(tag).title.toString());
    assertEquals(1, stage.phone.notification(tag).actions.size());
    stage.phone.touch(tag, "Stop");
    assertFalse(stage.phone.shows(tag));
    assertFalse(stage.phone.sounds());
    assertFalse("the engine never heard of it", Engine.heard.contains(13));
  }

  private static final String TEST = "alarm:" + Long.toUnsignedString(Ringer.TEST_ALARM);

  @Test public void theRehearsalSoundsInsideTheServiceAndTellsNoTrouble() {
    stage.ask("disarm".getBytes(StandardCharsets.UTF_8));
    stage.phone.settle();
    assertFalse(stage.phone.isForeground);
    stage.phone.noted.clear();
    Ringer.planTest(stage.context, 10_000);
    stage.phone.run(11_000);
    assertTrue(stage.phone.isForeground);
    assertTrue(stage.phone.sounds());
    assertEquals(Collections.singletonList("+" + TEST), stage.phone.noted);
    stage.phone.touch(TEST, "Stop");
    assertFalse(stage.phone.isForeground);
  }

  @Test public void theRehearsalTellsNotThatNothingIsWatched() {
    stage.ask("disarm".getBytes(StandardCharsets.UTF_8));
    stage.phone.settle();
    stage.phone.granted.remove("android.permission.ACCESS_BACKGROUND_LOCATION");
    stage.kill();
    Ringer.planTest(stage.context, 10_000);
    stage.phone.run(11_000);
    assertTrue(stage.phone.shows(TEST));
    assertFalse(stage.isTold(Trouble.STOPPED));
    assertTrue("on Android 17 it is heard only from a service", stage.phone.isForeground);
    assertTrue(stage.phone.sounds());
    stage.phone.touch(TEST, "Stop");
    assertFalse(stage.phone.isForeground);
  }

  /** Makes an alarm ring in a process that the system restarted, without the permission for background location. */
  private void ringWithoutPositions() {
    arrive();
    stage.kill();
    stage.phone.granted.remove("android.permission.ACCESS_BACKGROUND_LOCATION");
    stage.phone.isAllowedToStart = true;
    stage.restart();
  }

  @Test public void anAlarmRingsFromAServiceOfItsOwnWherePositionsMayNotBeHad() {
    ringWithoutPositions();
    stage.phone.isAllowedToStart = false;
    boolean mayWatch = level < 34;
    assertTrue(stage.phone.isForeground);
    assertEquals(level < 29 ? 0 : mayWatch ? 8 : 0x400, stage.phone.foregroundType);
    assertTrue(stage.phone.sounds());
    assertEquals("that nothing is watched is told", !mayWatch, stage.isTold(Trouble.STOPPED));
    stage.phone.run(10_500);
    assertTrue("each repeat", stage.phone.sounds());
    stage.phone.touch("alarm:1", "Stop");
    assertEquals("it was for the alarm alone", mayWatch, stage.phone.isForeground);
    assertEquals(!mayWatch, stage.isTold(Trouble.STOPPED));
    stage.open();
    assertTrue(stage.phone.isForeground);
    assertEquals(level < 29 ? 0 : 8, stage.phone.foregroundType);
    assertFalse(stage.isTold(Trouble.STOPPED));
  }

  @Test public void aServiceThatOnlyRingsWatchesOnceTheApplicationIsOpened() {
    ringWithoutPositions();
    stage.open().leave();
    assertEquals(level < 29 ? 0 : 8, stage.phone.foregroundType);
    assertTrue("it rings on", stage.phone.sounds());
    stage.walk(Stage.north(401), Stage.north(350), 2);
    assertFalse("and hears that the zone was left", stage.phone.shows("alarm:1"));
  }

  @Test public void anAlarmAfterAStartOfThePhoneRingsWherePositionsMayNotBeHad() {
    arrive();
    stage.phone.granted.remove("android.permission.ACCESS_BACKGROUND_LOCATION");
    stage.reboot();
    assertTrue(stage.phone.isForeground);
    assertTrue(stage.phone.sounds());
  }

  @Test public void aRehearsalThatIsClosedBeforeItsServiceRunsStaysSilent() {
    stage.ask("disarm".getBytes(StandardCharsets.UTF_8));
    stage.phone.settle();
    stage.phone.isAllowedToStart = true;
    WatchThread.post(stage.context, Input.PERSON, watch -> {
      watch.ringer.ringTest();
      watch.answer(Input.CLOSE, Ringer.TEST_ALARM);
    });
    stage.phone.settle();
    assertEquals(0, stage.phone.heard.size());
  }

  @Test public void aSwipedAlarmIsShownAgainAndClosedByItsButton() {
    arrive();
    assertEquals("before Android 14 it cannot be swiped away", level >= 34, stage.phone.swipe("alarm:1"));
    assertTrue(stage.phone.shows("alarm:1"));
    assertTrue("a swipe closes nothing", stage.phone.sounds());
    assertFalse(Engine.heard.contains(13));
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.sounds());
    assertFalse(stage.phone.shows("alarm:1"));
  }

  @Test public void aSwipeWithTheProcessGoneShowsItAgain() {
    assumeTrue(level >= 34);
    arrive();
    stage.kill();
    assertTrue(stage.phone.swipe("alarm:1"));
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void whateverRepeatsIsShown() {
    arrive();
    // Removed other than by a swipe: the application is not notified.
    stage.phone.notifications.keySet().removeIf(each -> each.startsWith("alarm:1"));
    stage.phone.run(10_500);
    assertTrue(stage.phone.shows("alarm:1"));
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.shows("alarm:1"));
    stage.phone.run(10_500);
    assertTrue("a closed alarm repeats", stage.phone.sounds());
    assertTrue("and can be closed again", stage.phone.shows("alarm:1"));
    assertEquals(1, Ringer.shown().size());
    stage.phone.touch("alarm:1", "Close");
    assertFalse(stage.phone.sounds());
    assertFalse(stage.phone.shows("alarm:1"));
    assertTrue(Ringer.shown().isEmpty());
  }

  @Test public void theZonesSoundIsTheApplicationsOfThatName() {
    AssetManager.FILES.put("sounds/Klaxon.wav", new byte[] {1});
    AssetManager.FILES.put("sounds/Harbour bells.wav", new byte[] {1});
    Engine.soundName = "Klaxon";
    arrive();
    assertEquals("sounds/Klaxon.wav", stage.phone.heard.get(0));
    Engine.soundName = "Unknown here";
    stage.phone.run(11_000);
    assertEquals("sounds/Harbour bells.wav", stage.phone.heard.get(1));
    Engine.soundName = "";
  }

  @Test public void aSoundOfAPersonsOwnIsPlayedByItsName() throws Exception {
    java.io.File sounds = new java.io.File(stage.phone.files, "sounds");
    assertTrue(sounds.mkdirs());
    java.nio.file.Files.write(new java.io.File(sounds, "My owl").toPath(), new byte[] {1});
    Engine.soundName = "My owl";
    try {
      arrive();
    } finally {
      Engine.soundName = "";
    }
    assertEquals("My owl", stage.phone.heard.get(0));
  }
}
