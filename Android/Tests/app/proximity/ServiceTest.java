package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;

/** Tests when the service runs, at each API level. */
public class ServiceTest extends AtEachLevel {
  /** Subjects the application to battery optimisation, so that only certain events may start the service. */
  @Before public void optimise() {
    stage.phone.isExempt = false;
  }

  @Test public void runsInTheForegroundOnceThereIsSomethingToWatch() {
    stage.open();
    assertTrue(stage.phone.isForeground);
    assertTrue(stage.phone.shows("null"));
    assertFalse(stage.phone.listening.isEmpty());
    assertEquals(1, stage.phone.proximity.size());
  }

  @Test public void goesOnWithTheApplicationOutOfView() {
    stage.open().leave();
    stage.phone.run(60_000);
    assertTrue(stage.phone.isForeground);
    stage.walk(Stage.HOME, Stage.north(450), 30);
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void doesNotRunForNothing() {
    Engine.isArmed = false;
    stage.open();
    assertFalse(stage.phone.isForeground);
    assertTrue(stage.phone.listening.isEmpty());
  }

  @Test public void endsWhenThePageDisarmsAndBeginsWhenItArms() {
    stage.open();
    stage.ask("disarm".getBytes(StandardCharsets.UTF_8));
    assertFalse(stage.phone.isForeground);
    assertTrue(stage.phone.listening.isEmpty());
    assertTrue(stage.phone.proximity.isEmpty());
    assertTrue(stage.phone.alarms.isEmpty());
    byte[] answer = stage.ask("arm".getBytes(StandardCharsets.UTF_8));
    assertEquals("arm", new String(answer, StandardCharsets.UTF_8));
    stage.phone.settle();
    assertTrue(stage.phone.isForeground);
  }

  @Test public void goesOnAfterAStartOfThePhone() {
    stage.open().leave().reboot();
    assertTrue(stage.phone.isForeground);
    assertFalse(stage.phone.listening.isEmpty());
    assertEquals(1, stage.phone.proximity.size());
  }

  @Test public void goesOnAfterAnUpdateAndAfterAKill() {
    stage.open().leave().update();
    assertTrue(stage.phone.isForeground);
    stage.kill();
    assertFalse(stage.phone.isForeground);
    stage.phone.isAllowedToStart = true; // A sticky service's new start is the system's own.
    stage.restart();
    assertTrue(stage.phone.isForeground);
    assertFalse(stage.phone.listening.isEmpty());
  }

  @Test public void withoutBackgroundLocationTheRestartIsToldWhereAndroidRefusesIt() {
    assumeTrue(level >= 29);
    stage.phone.granted.remove("android.permission.ACCESS_BACKGROUND_LOCATION");
    stage.open().leave();
    assertTrue(stage.isTold(Trouble.NO_BACKGROUND));
    assertTrue("started in view it runs", stage.phone.isForeground);
    stage.reboot();
    assertEquals(level < 34, stage.phone.isForeground);
    assertEquals(level >= 34, stage.isTold(Trouble.STOPPED));
    stage.open();
    assertTrue(stage.phone.isForeground);
    assertFalse(stage.isTold(Trouble.STOPPED));
  }

  @Test public void aStartFromTheBackgroundIsToldWhereAndroidRefusesIt() {
    stage.open().leave();
    stage.kill();
    // At this moment the system does not allow a start.
    WatchThread.post(stage.context, Input.RELAUNCH, watch -> {});
    stage.phone.settle();
    assertEquals(level < 31, stage.phone.isForeground);
    assertEquals(level >= 31, stage.isTold(Trouble.STOPPED));
    assertFalse("fences stay", stage.phone.proximity.isEmpty());
  }

  @Test public void aFenceWakesAProcessThatIsGone() {
    stage.phone.isExempt = true;
    stage.open().leave();
    stage.kill();
    stage.phone.moveTo(Stage.north(500)[0], Stage.HOME[1], 10);
    assertTrue(stage.phone.isForeground);
    stage.phone.run(1_000);
    stage.phone.moveTo(Stage.north(500)[0], Stage.HOME[1], 10);
    assertTrue(stage.phone.shows("alarm:1"));
  }

  @Test public void aFenceGivesNoRightToStartTheService() {
    stage.open().leave();
    stage.kill();
    stage.phone.moveTo(Stage.north(500)[0], Stage.HOME[1], 10);
    assertTrue("it wakes the engine", Engine.heard.contains(5));
    assertEquals(level < 31, stage.phone.isForeground);
    assertEquals(level >= 31, stage.isTold(Trouble.STOPPED));
  }

  @Test public void aPermissionThatComesWhileThePageIsInViewStartsTheService() {
    stage.phone.granted.remove("android.permission.ACCESS_FINE_LOCATION");
    stage.phone.granted.remove("android.permission.ACCESS_COARSE_LOCATION");
    stage.open();
    assertEquals("Android 14 refuses a service that may not locate", level < 34, stage.phone.isForeground);
    stage.phone.granted.add("android.permission.ACCESS_FINE_LOCATION");
    stage.phone.granted.add("android.permission.ACCESS_COARSE_LOCATION");
    stage.answerPermissions();
    assertTrue(stage.phone.isForeground);
  }

  @Test public void aRequestIsAnsweredByItsBestPositionAndNotByOneThatStatesNoError() {
    stage.open().leave();
    WatchThread.post(stage.context, Input.RELAUNCH, watch -> {
      watch.positions.endSession();
      watch.positions.request(true, 10_000, 10, true);
    });
    stage.phone.settle();
    Engine.told_m.clear();
    for (double error_m : new double[] {80, 40, -1, 60}) {
      stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], error_m);
      stage.phone.run(1_000);
    }
    assertEquals(Collections.emptyList(), Engine.told_m);
    stage.phone.run(10_000);
    assertEquals(Collections.singletonList(40.0), Engine.told_m);
  }

  @Test public void noWakeLockIsLeftBehind() {
    stage.open().leave();
    stage.walk(Stage.HOME, Stage.north(450), 30);
    stage.phone.touch("alarm:1", "Close");
    stage.phone.run(60_000);
    stage.walk(Stage.north(450), Stage.HOME, 30);
    stage.phone.run(60_000);
    assertTrue(stage.phone.locks.toString(), stage.phone.locks.isEmpty());
  }
}
