package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Compares the engine's rules for the platform with expected values. Runs with the small engine and the real one. */
public class RulesTest {
  @Test public void aStatusIsSuccessTroubleOrRefusal() {
    int[][] wanted = {{0, 0}, {-1, 0}, {200, 1}, {204, 1}, {299, 1}, {301, 3}, {302, 3}, {400, 3}, {401, 3}, {404, 3},
        {408, 0}, {413, 3}, {429, 0}, {500, 0}, {503, 0}, {599, 0}};
    for (int[] each : wanted) assertEquals("status " + each[0], each[1], Engine.reportOutcome(each[0]));
  }

  @Test public void aSoundLastsHalfTheTimeBetweenTwoRepeats() {
    long[][] wanted = {{-1, 5_000}, {0, 2_500}, {4_000, 2_500}, {10_000, 5_000}, {29_998, 14_999}, {600_000, 15_000}};
    for (long[] each : wanted) {
      assertEquals("after " + each[0], each[1], Engine.soundLength(each[0], false));
      assertEquals("after " + each[0], 600_000, Engine.soundLength(each[0], true));
    }
  }

  @Test public void itRisesFromATenthByTheSameFactor() {
    assertEquals(100_000, Engine.loudness(0));
    assertEquals(316_228, Engine.loudness(10_000));
    assertEquals(1_000_000, Engine.loudness(20_000));
    assertEquals(1_000_000, Engine.loudness(Long.MAX_VALUE));
    for (int at_ms = 500; at_ms <= 20_000; at_ms += 500) {
      double factor = (double) Engine.loudness(at_ms) / Engine.loudness(at_ms - 500);
      assertTrue("at " + at_ms + ": " + factor, factor > 1.0592 && factor < 1.0594);
    }
  }

  @Test public void whatWaitsForAServerIsBounded() {
    assertEquals(65_536, Engine.reportFileBytes());
    assertEquals(100, Engine.reportFiles());
  }
}
