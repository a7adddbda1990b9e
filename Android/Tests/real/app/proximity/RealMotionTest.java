package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.hardware.Sensor;
import android.hardware.TriggerEvent;
import android.hardware.TriggerEventListener;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The words of the motion sensors, in the journal with the sensors' own times. */
public class RealMotionTest {
  private final Stage stage;
  private final File folder;

  public RealMotionTest() throws IOException {
    File files = Stage.folder();
    folder = new File(files, "watch");
    assertTrue(folder.mkdirs());
    new Disk().write(new File(folder, "1.snapshot"), new Seed().zone(7, Stage.north(500), 100, Seed.NORMAL).snapshot());
    new Disk().write(new File(folder, "1.journal"), new byte[0]);
    stage = new Stage(34, files);
    stage.open();
    stage.phone.moveTo(Stage.HOME[0], Stage.HOME[1], 8);
    stage.phone.run(5_000);
  }

  /** A sensor reports now what it says to have seen `age_ms` ago. */
  private void fire(int sensor, long age_ms) {
    List<TriggerEventListener> heard = new ArrayList<>();
    for (Map.Entry<TriggerEventListener, Integer> each : stage.phone.triggers.entrySet()) {
      if (each.getValue() == sensor) heard.add(each.getKey());
    }
    assertTrue("sensor " + sensor + " is not watched", !heard.isEmpty());
    TriggerEvent event = new TriggerEvent();
    event.timestamp = (Clock.uptime() - age_ms) * 1_000_000;
    for (TriggerEventListener each : heard) each.onTrigger(event);
    stage.phone.run(1_000);
  }

  @Test public void aWordHasTheTimeOfItsSensor() throws IOException {
    long stopped = Clock.now() - 4_000;
    fire(Sensor.TYPE_STATIONARY_DETECT, 4_000);
    fire(Sensor.TYPE_MOTION_DETECT, 40L * 24 * 3_600_000);
    JournalNotes notes = new JournalNotes(new WatchFiles(folder, new Disk()).history());
    assertEquals(List.of("still " + stopped, "moving -1"), notes.motions);
  }
}
