package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import org.junit.Before;
import org.junit.Test;
import phone.Phone;

/** Tests that the engine is woken in time, with the phone awake or idle, and with or without a running process. */
public class WakeTest extends AtEachLevel {
  @Before public void begin() {
    stage.phone.isExempt = false;
    stage.open().leave();
  }

  private void set(long after_ms) {
    WatchThread.post(stage.context, Input.RELAUNCH, watch -> watch.wake.set(Clock.now() + after_ms));
    stage.phone.settle();
  }

  private long woken() {
    return Engine.heard.stream().filter(kind -> kind == 8).count();
  }

  private Phone.Alarm alarm() {
    assertEquals(1, stage.phone.alarms.size());
    return stage.phone.alarms.values().iterator().next();
  }

  @Test public void toTheSecondWhileAwake() {
    set(2_000);
    stage.phone.run(1_999);
    assertEquals(0, woken());
    stage.phone.run(1);
    assertEquals(1, woken());
    stage.phone.run(60_000);
    assertEquals("once", 1, woken());
  }

  @Test public void theLaterTimeTakesTheEarliersPlace() {
    set(10_000);
    set(50_000);
    stage.phone.run(49_000);
    assertEquals(0, woken());
    stage.phone.run(1_000);
    // Woken by the timer of the process and by that of the system at the same time.
    assertEquals(2, woken());
  }

  @Test public void exactByWhatIsAllowed() {
    set(600_000);
    assertEquals("exact", alarm().kind);
    stage.phone.isIdle = true;
    stage.phone.broadcast("android.os.action.DEVICE_IDLE_MODE_CHANGED");
    assertEquals("an alarm clock is not put off in deep sleep", "clock", alarm().kind);
    assumeTrue(level >= 31);
    stage.phone.mayBeExact = false;
    stage.phone.broadcast("android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED");
    assertEquals("inexact", alarm().kind);
  }

  @Test public void withTheProcessGone() {
    set(600_000);
    stage.kill();
    stage.phone.run(599_000);
    assertFalse(stage.phone.isForeground);
    stage.phone.run(1_000);
    assertEquals(1, woken());
    assertTrue("the service goes on", stage.phone.isForeground);
  }

  @Test public void aFenceOfAnEarlierProcessGoesWithItsFirstCrossing() {
    assertEquals(1, stage.phone.proximity.size());
    stage.kill();
    Engine.isArmed = false;
    stage.walk(Stage.HOME, Stage.north(500), 20);
    assertTrue("it woke the engine", Engine.heard.contains(5));
    assertTrue("and wakes it no more", stage.phone.proximity.isEmpty());
  }

  @Test public void whoeverSetsTheClockWakesIt() {
    stage.phone.wall_ms += 3_600_000;
    stage.phone.broadcast("android.intent.action.TIME_SET");
    assertEquals(1, woken());
  }

  @Test public void theSilenceAlarmWarnsOnlyWhereNothingRuns() {
    WatchThread.post(stage.context, Input.RELAUNCH, watch -> watch.silent.set(Clock.now() + 600_000));
    stage.phone.run(601_000);
    assertFalse(stage.isTold(Trouble.STOPPED));
    WatchThread.post(stage.context, Input.RELAUNCH, watch -> watch.silent.set(Clock.now() + 600_000));
    stage.phone.settle();
    stage.kill();
    stage.phone.granted.remove("android.permission.ACCESS_BACKGROUND_LOCATION");
    stage.phone.run(601_000);
    assertEquals(level >= 34, stage.isTold(Trouble.STOPPED));
    assertEquals(level < 34, stage.phone.isForeground);
  }
}
