package app.proximity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random day from a seed: at home, on foot past a hazard, by bus to a stop, errands, and home again. One position a second.
 *
 * <p>Zones are circles by their number, with a radius in m.
 */
final class Day {
  static final long HAZARD = 1;
  static final long STOP = 2;
  static final long BAKERY = 3;
  static final long CHEMIST = 4;
  static final long HOME = 5;

  final Map<Long, double[]> zones = new LinkedHashMap<>();
  /** Pairs of latitude and longitude, one for each second. */
  final List<double[]> track = new ArrayList<>();
  /** The zones of all entries, in order. */
  final List<Long> entered = new ArrayList<>();
  private final Random random;
  private double east_m;
  private double north_m;

  Day(long seed) {
    random = new Random(seed);
    zones.put(HAZARD, zone(vary(30), 600, 60));
    zones.put(STOP, zone(5_000 + vary(400), 1_200, 250));
    zones.put(BAKERY, zone(5_600 + vary(100), 1_700, 60));
    zones.put(CHEMIST, zone(6_200 + vary(100), 1_700, 60));
    zones.put(HOME, zone(0, 0, 80));
    stay(600 + random.nextInt(600));
    go(0, 1_200, 1.4);
    stay(120 + random.nextInt(240));
    go(zones.get(STOP)[3], 1_200, 11);
    stay(60);
    go(zones.get(BAKERY)[3], 1_700, 1.3);
    stay(300 + random.nextInt(300));
    go(zones.get(CHEMIST)[3], 1_700, 1.3);
    stay(300 + random.nextInt(300));
    go(zones.get(STOP)[3], 1_200, 1.3);
    go(0, 1_200, 11);
    go(0, 0, 1.4);
    stay(600);
    note();
  }

  private double vary(double most) {
    return (2 * random.nextDouble() - 1) * most;
  }

  private static double[] place(double east_m, double north_m) {
    return new double[] {Stage.HOME[0] + north_m / 111_195,
        Stage.HOME[1] + east_m / (111_195 * Math.cos(Math.toRadians(Stage.HOME[0])))};
  }

  private static double[] zone(double east_m, double north_m, double radius_m) {
    double[] place = place(east_m, north_m);
    return new double[] {place[0], place[1], radius_m, east_m, north_m};
  }

  private void stay(int seconds) {
    for (int i = 0; i < seconds; i++) track.add(place(east_m, north_m));
  }

  private void go(double toEast_m, double toNorth_m, double speed_mps) {
    double fromEast = east_m;
    double fromNorth = north_m;
    int seconds = (int) Math.ceil(Math.hypot(toEast_m - fromEast, toNorth_m - fromNorth) / speed_mps);
    for (int i = 1; i <= seconds; i++) {
      east_m = fromEast + (toEast_m - fromEast) * i / seconds;
      north_m = fromNorth + (toNorth_m - fromNorth) * i / seconds;
      track.add(place(east_m, north_m));
    }
  }

  private void note() {
    Map<Long, Boolean> inside = new LinkedHashMap<>();
    for (double[] place : track) {
      for (Map.Entry<Long, double[]> zone : zones.entrySet()) {
        double[] middle = zone.getValue();
        double north = (place[0] - middle[0]) * 111_195;
        double east = (place[1] - middle[1]) * 111_195 * Math.cos(Math.toRadians(place[0]));
        boolean is = Math.hypot(north, east) < middle[2];
        if (is && !inside.getOrDefault(zone.getKey(), false)) entered.add(zone.getKey());
        inside.put(zone.getKey(), is);
      }
    }
  }
}
