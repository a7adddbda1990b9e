package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.view.ViewGroup;
import android.webkit.WebView;
import org.junit.Test;

/** Tests that the report of the first run states for each step whether it happened, and contains no place. */
public class FirstRunTest extends AtEachLevel {
  /** Requests the report on another thread, as the page does. */
  private String report() {
    String[] report = {null};
    MainActivity activity = new MainActivity();
    activity.onCreate(null);
    Thread page = new Thread(() -> report[0] = ((Bridge) ((WebView) ((ViewGroup) activity.content).children.get(0)).bridge).firstRun());
    page.start();
    while (page.isAlive()) {
      stage.phone.settle();
      Thread.onSpinWait();
    }
    return report[0];
  }

  private static boolean happened(String report, FirstRun.Step step) {
    int at = report.indexOf("\"" + step.name() + "\"");
    assertTrue(report, at > 0);
    int from = report.lastIndexOf('{', at);
    String part = report.substring(from, report.indexOf('}', at));
    assertTrue(part, part.contains("\"happened\":true") || part.contains("\"happened\":false"));
    return part.contains("\"happened\":true");
  }

  private void expect(FirstRun.Step... steps) {
    String report = report();
    for (FirstRun.Step step : FirstRun.Step.values()) {
      boolean isWanted = java.util.Arrays.asList(steps).contains(step);
      assertEquals(step.name() + " in " + report, isWanted, happened(report, step));
    }
  }

  @Test public void nothingHasHappenedThatNobodyDid() {
    Engine.isArmed = false;
    stage.phone.granted.clear();
    expect(FirstRun.Step.INSTALLED, FirstRun.Step.REPORT);
  }

  @Test public void allTenStepsAreSeenOneAfterTheOther() {
    MainActivity activity = new MainActivity();
    stage.phone.isVisible = true;
    activity.onCreate(null);
    ((Bridge) ((WebView) ((ViewGroup) activity.content).children.get(0)).bridge).permissions();
    stage.open();
    Ringer.planTest(stage.context, 1_000);
    stage.leave();
    stage.phone.run(5_000);
    WatchThread.post(stage.context, Input.PERSON, watch -> watch.answer(Input.STOP, Ringer.TEST_ALARM));
    stage.phone.settle();
    stage.phone.isLocationOn = false;
    stage.phone.providers.clear();
    stage.phone.broadcast("android.location.PROVIDERS_CHANGED");
    stage.phone.settle();
    stage.phone.isLocationOn = true;
    stage.phone.providers.add("gps");
    stage.phone.providers.add("network");
    stage.phone.broadcast("android.location.PROVIDERS_CHANGED");
    stage.phone.settle();
    String before = report();
    assertFalse(before, happened(before, FirstRun.Step.RANG));
    assertTrue(before, happened(before, FirstRun.Step.TROUBLE));
    stage.walk(Stage.HOME, Stage.north(401), 20);
    assertTrue(happened(report(), FirstRun.Step.RANG));
    assertFalse("it has not been restarted", happened(report(), FirstRun.Step.RESTARTED));
    stage.walk(Stage.north(401), Stage.north(-1_000), 60);
    stage.reboot();
    stage.walk(Stage.north(-1_000), Stage.north(500), 60);
    expect(FirstRun.Step.values());
    String report = report();
    assertFalse("no place: " + report, report.contains("50.7") || report.contains("latitude"));
    assertTrue(report, report.startsWith("{\"report\":\"proximity first run\""));
    int at = report.indexOf("\"journal\":\"") + 11;
    String journal = new String(java.util.Base64.getDecoder().decode(report.substring(at, report.length() - 2)));
    assertTrue(report, journal.matches("moved [0-9]{3,}"));
    for (String each : new String[] {"\"version\":\"1.2.3\"", "\"maker\":\"Google\"", "\"model\":\"Pixel 8\"", "\"battery\":90"}) {
      assertTrue(each + " in " + report, report.contains(each));
    }
  }

  @Test public void aJournalThatCannotBeReadIsSaidAndTheReportIsThereAllTheSame() {
    String report = FirstRun.withJournal("{\"report\":\"proximity first run\"}", new byte[] {1});
    assertEquals("{\"report\":\"proximity first run\",\"journal_fault\":\"nothing of it can be read\"}", report);
  }

  @Test public void aRestartIsNoneWhereSomebodyOpenedTheApplication() {
    stage.open().leave();
    stage.reboot();
    stage.open().leave();
    stage.walk(Stage.HOME, Stage.north(401), 20);
    String report = report();
    assertTrue(happened(report, FirstRun.Step.RANG));
    assertFalse(happened(report, FirstRun.Step.RESTARTED));
  }
}
