package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.content.Intent;
import android.os.Build;
import org.junit.Test;

/** Tests phones whose makers stop applications by settings of their own. */
public class MakerTest extends AtEachLevel {
  private static final String OWN = "android.settings.APPLICATION_DETAILS_SETTINGS";

  private final Activity activity = new Activity();

  private static String advice(Maker maker) {
    return phone.Phone.now().manifest.words(maker.advice);
  }

  private static String screen(Intent intent) {
    return intent.elsewhere() == null ? intent.getAction() : intent.elsewhere();
  }

  @Test public void makersAreKnownByTheNamesThatTheirPhonesSay() {
    String[] names = {"samsung", "Xiaomi", "Redmi", "POCO", "HUAWEI", "HONOR", "OPPO", "realme", "OnePlus", "vivo", "iQOO", "asus"};
    for (String name : names) {
      Build.MANUFACTURER = name;
      assertTrue(name, Maker.ofThisPhone() != null && advice(Maker.ofThisPhone()).toLowerCase().contains(name.toLowerCase()));
    }
    for (String name : new String[] {"Google", "Fairphone", "", "unknown", null}) {
      Build.MANUFACTURER = name;
      assertNull(name, Maker.ofThisPhone());
    }
  }

  @Test public void thePageLearnsTheAdvice() {
    assertFalse(Permissions.read(activity).contains("maker"));
    Build.MANUFACTURER = "Xiaomi";
    assertTrue(Permissions.read(activity), Permissions.read(activity).contains("\"maker\":{"));
    assertTrue(Permissions.read(activity).contains("Autostart"));
  }

  /** The notification and the page mention the maker's setting with battery troubles, and with no other. */
  @Test public void theTroublesOfTheBatterySayWhatElseToSet() {
    Build.MANUFACTURER = "HUAWEI";
    stage.phone.isExempt = false;
    stage.phone.alarmVolume = 0;
    stage.open().leave();
    assertTrue(stage.isTold(Trouble.OPTIMISED) && stage.isTold(Trouble.VOLUME_ZERO));
    assertTrue(Trouble.OPTIMISED.words(stage.context).endsWith(advice(Maker.HUAWEI)));
    assertFalse(Trouble.VOLUME_ZERO.words(stage.context).contains("Huawei"));
    String said = stage.phone.notifications.get(Notices.TROUBLE + ":" + Trouble.OPTIMISED.ordinal()).text.toString();
    assertTrue(said, said.endsWith(advice(Maker.HUAWEI)));
    Build.MANUFACTURER = "Google";
    assertFalse(Trouble.OPTIMISED.words(stage.context).contains("Huawei"));
  }

  @Test public void theFirstScreenThatThePhoneHasIsOpened() {
    for (Maker maker : Maker.values()) {
      Build.MANUFACTURER = maker.name();
      for (Intent each : maker.intents()) {
        stage.phone.screens.add(screen(each));
        new Permissions(activity).open("maker");
        assertEquals(screen(each), screen(activity.started.get(activity.started.size() - 1)));
        stage.phone.screens.remove(screen(each));
      }
    }
  }

  @Test public void whereThereIsNoneOrItIsClosedTheApplicationsSettingsOpen() {
    for (Maker maker : Maker.values()) {
      Build.MANUFACTURER = maker.name();
      for (Intent each : maker.intents()) stage.phone.closedScreens.add(screen(each));
      new Permissions(activity).open("maker");
      assertEquals(OWN, activity.started.get(activity.started.size() - 1).getAction());
      stage.phone.closedScreens.clear();
      new Permissions(activity).open("maker");
      assertEquals(OWN, activity.started.get(activity.started.size() - 1).getAction());
    }
    Build.MANUFACTURER = "Google";
    new Permissions(activity).open("maker");
    stage.phone.screens.clear();
    new Permissions(activity).open("maker");
    assertEquals("and where there are not even those, nothing ends", 2 * Maker.values().length + 1, activity.started.size());
  }
}
