package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.EnumSet;
import org.junit.After;
import org.junit.Test;

/**
 * Every trouble with the real engine, which wishes for nothing where it may not watch: it is told at once, armed zones go
 * on being watched once it is over, and are never given up without a word.
 */
public class RealTroubleTest {
  private static final String FINE = "android.permission.ACCESS_FINE_LOCATION";
  private static final String COARSE = "android.permission.ACCESS_COARSE_LOCATION";
  private static final String BACKGROUND = "android.permission.ACCESS_BACKGROUND_LOCATION";
  private static final String NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS";
  private static final String PROVIDERS = "android.location.PROVIDERS_CHANGED";
  private static final long ZONE_M = 500;

  private final EnumSet<Trouble> seen = EnumSet.noneOf(Trouble.class);
  private Stage stage;
  private int level;
  private double at_m;

  @After public void mendDisk() {
    Watch.disk = new Disk();
  }

  /** A zone 500 m north is armed, the page was left a minute ago, and only events give the service a right to start. */
  private void watch(int level, int assurance) {
    this.level = level;
    at_m = 0;
    File files = Stage.folder();
    File folder = new File(files, "watch");
    assertTrue(folder.mkdirs());
    try {
      new Disk().write(new File(folder, "1.snapshot"), new Seed().zone(7, Stage.north(ZONE_M), 100, assurance).snapshot());
      new Disk().write(new File(folder, "1.journal"), new byte[0]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    stage = new Stage(level, files);
    stage.open();
    stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], 8);
    stage.phone.run(5_000);
    stage.leave();
    stage.walk(Stage.HOME, Stage.HOME, 60);
    assertEquals(story(), EnumSet.noneOf(Trouble.class), told());
    assertTrue(story(), stage.phone.isForeground);
  }

  private String story() {
    return "API " + level;
  }

  private EnumSet<Trouble> told() {
    EnumSet<Trouble> told = EnumSet.noneOf(Trouble.class);
    for (Trouble each : Trouble.values()) if (stage.isTold(each)) told.add(each);
    return told;
  }

  private void expectTold(Trouble... troubles) {
    EnumSet<Trouble> expected = EnumSet.noneOf(Trouble.class);
    for (Trouble each : troubles) expected.add(each);
    assertEquals(story(), expected, told());
    seen.addAll(expected);
  }

  private void walkTo(double metres) {
    for (; at_m <= metres; at_m += 2) {
      stage.phone.run(1_000);
      stage.phone.moveTo(Stage.north(at_m)[0], Stage.HOME[1], 8);
    }
  }

  private void expectRingInTheZone() {
    walkTo(ZONE_M + 50);
    assertTrue(story() + " rings: " + stage.phone.noted, stage.phone.noted.stream().anyMatch(each -> each.startsWith("+alarm:")));
  }

  /** As a permission is taken: the system ends the process, and starts the service again. */
  private void take(String... permissions) {
    for (String each : permissions) stage.phone.granted.remove(each);
    stage.kill();
    stage.phone.isAllowedToStart = true;
    stage.restart();
    stage.phone.isAllowedToStart = false;
  }

  /** In the settings, and back in the page for a moment. */
  private void give(String... permissions) {
    for (String each : permissions) stage.phone.granted.add(each);
    stage.open().leave();
  }

  private void locationIsSwitchedOffForHalfADay() {
    watch(level, Seed.NORMAL);
    stage.phone.isExempt = level % 2 == 0;
    stage.phone.isLocationOn = false;
    stage.phone.broadcast(PROVIDERS);
    assertTrue(story(), stage.isTold(Trouble.LOCATION_OFF));
    assertTrue(story() + " the service stays", stage.phone.isForeground);
    seen.add(Trouble.LOCATION_OFF);
    stage.phone.run(12 * 3_600_000L);
    assertTrue(story(), stage.isTold(Trouble.LOCATION_OFF));
    assertTrue(story() + " the service stays", stage.phone.isForeground);
    stage.phone.isLocationOn = true;
    stage.phone.broadcast(PROVIDERS);
    assertFalse(story(), stage.isTold(Trouble.LOCATION_OFF));
    expectRingInTheZone();
  }

  private void locationIsDenied() {
    watch(level, Seed.NORMAL);
    take(FINE, COARSE, BACKGROUND);
    expectTold(Trouble.LOCATION_DENIED);
    assertEquals(story() + " from Android 14 on no such service may run", level < 34, stage.phone.isForeground);
    give(FINE, COARSE, BACKGROUND);
    expectTold();
    expectRingInTheZone();
  }

  private void onlyTheApproximateLocationIsAllowed() {
    watch(level, Seed.NORMAL);
    take(FINE);
    expectTold(Trouble.IMPRECISE);
    assertTrue(story() + " the service stays", stage.phone.isForeground);
    walkTo(ZONE_M / 2);
    expectTold(Trouble.IMPRECISE);
    give(FINE);
    expectTold();
    expectRingInTheZone();
  }

  private void onlyWhileInUse() {
    if (level < 29) return;
    watch(level, Seed.NORMAL);
    take(BACKGROUND);
    if (level < 34) expectTold(Trouble.NO_BACKGROUND);
    else expectTold(Trouble.NO_BACKGROUND, Trouble.STOPPED);
    give(BACKGROUND);
    expectTold();
    expectRingInTheZone();
  }

  private void notificationsAreForbidden() {
    watch(level, Seed.NORMAL);
    stage.phone.areNotificationsOn = false;
    stage.phone.granted.remove(NOTIFICATIONS);
    stage.open().leave();
    assertEquals(story() + " a sound tells it", 1, stage.phone.heard.size());
    seen.add(Trouble.NOTIFICATIONS_OFF);
    stage.phone.run(60_000);
    assertEquals(story() + " once", 1, stage.phone.heard.size());
    walkTo(ZONE_M + 50);
    assertTrue(story(), stage.phone.heard.size() > 1);
  }

  /** A person changes settings, and looks at the page for a moment. */
  private void setWrong(boolean isWrong) {
    stage.phone.isSaving = isWrong;
    stage.phone.savesLocation = 2;
    stage.phone.isExempt = !isWrong;
    stage.phone.isKeptUnused = !isWrong;
    stage.phone.isRestricted = isWrong;
    stage.phone.mayBeExact = !isWrong;
    stage.phone.mayFillScreen = !isWrong;
    stage.phone.alarmVolume = isWrong ? 0 : 5;
    stage.phone.interruptionFilter = isWrong ? 3 : 1;
    stage.open().leave();
  }

  /** They are found when the page is left, and are over when it is left again. */
  private void settingsAreWrong() {
    watch(level, Seed.NORMAL);
    setWrong(true);
    EnumSet<Trouble> expected = EnumSet.of(Trouble.SAVER, Trouble.OPTIMISED, Trouble.VOLUME_ZERO, Trouble.TOTAL_SILENCE);
    if (level >= 28) expected.add(Trouble.RESTRICTED);
    if (level >= 30) expected.add(Trouble.UNUSED);
    if (level >= 31) expected.add(Trouble.INEXACT);
    if (level >= 34) expected.add(Trouble.NO_FULL_SCREEN);
    expectTold(expected.toArray(new Trouble[0]));
    setWrong(false);
    expectTold();
    expectRingInTheZone();
  }

  /** The engine warns of it only where fences are all that is left, as on iOS. */
  private void wiFiIsSwitchedOff() {
    watch(level, Seed.NORMAL);
    stage.phone.hasWifi = false;
    stage.phone.broadcast("android.net.wifi.WIFI_STATE_CHANGED");
    stage.phone.run(3_600_000);
    expectTold();
    expectRingInTheZone();
  }

  /** No position comes beside a safety zone, and nothing else is wrong. */
  private void noPositionComes() {
    watch(level, Seed.SAFETY);
    walkTo(ZONE_M - 150);
    stage.phone.run(1_800_000);
    expectTold(Trouble.CANNOT_LOCATE);
  }

  private void theStorageIsFull() {
    watch(level, Seed.NORMAL);
    stage.kill();
    Watch.disk = new Disk() {
      @Override void append(File file, byte[] bytes) throws IOException {
        throw new IOException("No space left on device");
      }
    };
    stage.phone.isAllowedToStart = true;
    stage.restart();
    expectRingInTheZone();
    expectTold(Trouble.STORAGE_FULL);
    Watch.disk = new Disk();
  }

  private void theFilesAreDamaged() throws IOException {
    watch(level, Seed.NORMAL);
    stage.kill();
    for (File each : new File(stage.phone.files, "watch").listFiles()) new Disk().write(each, new byte[] {1, 2, 3});
    stage.phone.isAllowedToStart = true;
    stage.restart();
    expectTold(Trouble.DAMAGED);
  }

  private void theServiceMayNotStart() {
    watch(level, Seed.NORMAL);
    stage.phone.isExempt = false;
    stage.kill();
    WatchThread.post(stage.context, Input.RELAUNCH, Watch::refresh);
    stage.phone.settle();
    if (level < 31) expectTold(Trouble.OPTIMISED);
    else expectTold(Trouble.OPTIMISED, Trouble.STOPPED);
  }

  @Test public void eachIsToldAtOnce() throws IOException {
    for (int level : Stage.LEVELS) {
      this.level = level;
      locationIsSwitchedOffForHalfADay();
      locationIsDenied();
      onlyTheApproximateLocationIsAllowed();
      onlyWhileInUse();
      notificationsAreForbidden();
      settingsAreWrong();
      wiFiIsSwitchedOff();
      noPositionComes();
      theStorageIsFull();
      theFilesAreDamaged();
      theServiceMayNotStart();
    }
    assertEquals("no trouble without a story", EnumSet.complementOf(EnumSet.of(Trouble.WIFI_OFF)), seen);
  }

  @Test public void withoutZonesNothingIsWatchedAndNothingTold() {
    for (int level : Stage.LEVELS) {
      this.level = level;
      stage = new Stage(level);
      stage.phone.isLocationOn = false;
      stage.open().leave();
      assertFalse(story(), Engine.isWatching(Clock.now()));
      assertFalse(story(), stage.phone.isForeground);
      assertEquals(story(), EnumSet.noneOf(Trouble.class), told());
    }
  }

  /** A person takes the first steps as the page leads them; nothing is granted before. */
  @Test public void aFirstRunIsQuietAndRings() {
    for (int level : Stage.LEVELS) {
      watch(level, Seed.NORMAL);
      stage.kill();
      stage.phone.granted.clear();
      stage.phone.noted.clear();
      stage.open();
      for (String each : new String[] {FINE, COARSE, NOTIFICATIONS, BACKGROUND}) {
        stage.phone.granted.add(each);
        stage.answerPermissions();
        stage.phone.run(90_000);
        stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], 8);
      }
      stage.leave();
      assertEquals(story(), 0, stage.phone.heard.size());
      assertTrue(story() + ": " + stage.phone.noted, stage.phone.noted.isEmpty());
      assertTrue(story(), stage.phone.isForeground);
      expectRingInTheZone();
    }
  }
}
