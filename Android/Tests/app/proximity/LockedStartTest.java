package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** After a start of the phone, alarms wait for the first unlock. A notification says so if there are armed zones. */
public class LockedStartTest extends AtEachLevel {
  private boolean isSaid() {
    return stage.phone.shows(LockedStartReceiver.LOCKED);
  }

  @Test public void itIsSaidUntilThePhoneIsUnlocked() {
    stage.open().leave().startLocked();
    assertTrue(isSaid());
    assertEquals("Alarms wait until you unlock the phone", stage.phone.notification(LockedStartReceiver.LOCKED).title.toString());
    assertFalse("nothing else runs", stage.phone.isForeground);
    stage.unlock();
    assertFalse(isSaid());
    assertTrue(stage.phone.isForeground);
  }

  @Test public void twoStartsInOneNight() {
    stage.open().leave().startLocked().startLocked();
    assertTrue(isSaid());
  }

  @Test public void nothingIsSaidWhereNothingIsWatched() {
    Engine.isArmed = false;
    stage.open().leave().startLocked();
    assertFalse(isSaid());
  }

  @Test public void nothingIsSaidOnceAlarmsWereSwitchedOff() {
    stage.open();
    stage.ask("disarm".getBytes(StandardCharsets.UTF_8));
    stage.leave().startLocked();
    assertFalse(isSaid());
  }

  @Test public void aPhoneThatIsUnlockedAtOnceIsNotWarned() {
    stage.open().leave();
    stage.phone.noted.clear();
    stage.phone.isUnlocked = true;
    new LockedStartReceiver().onReceive(stage.context, new android.content.Intent("android.intent.action.LOCKED_BOOT_COMPLETED"));
    assertFalse(isSaid());
  }
}
