package app.proximity;

import android.content.Context;
import android.location.Location;
import android.location.LocationListener;
import android.location.LocationManager;
import android.os.Build;
import android.os.Bundle;
import android.os.PowerManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Carries out the engine's wishes for positions: one session at a time, and one request beside it. */
final class Positions {
  /** Least ms between two positions, by the accuracy wanted: navigation, best, 10 m, 100 m, 1 km, 3 km. */
  private static final long[] INTERVAL_MS = {1_000, 1_000, 5_000, 30_000, 60_000, 180_000};
  /** A position this good, in m, answers a request of that accuracy before its time is up. */
  private static final float[] GOOD_M = {20, 20, 20, 100, 1_000, 3_000};
  /** From this accuracy on, satellites are not needed. */
  private static final int COARSE = 3;
  /** The processor is kept awake for a request at most so long. */
  private static final long LONGEST_WAKE_MS = 120_000;

  private final Watch watch;
  private final LocationManager locations;
  private final PowerManager.WakeLock awake;
  private final Runnable deadline = this::end;
  private Listener session;
  private Listener request;

  Positions(Watch watch) {
    this.watch = watch;
    locations = (LocationManager) watch.context.getSystemService(Context.LOCATION_SERVICE);
    PowerManager power = (PowerManager) watch.context.getSystemService(Context.POWER_SERVICE);
    awake = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "proximity:position");
    awake.setReferenceCounted(false);
  }

  boolean isOn() {
    return session != null || request != null;
  }

  void open(int accuracy, double filter_m) {
    endSession();
    session = new Listener(accuracy, (float) Math.max(0, filter_m), false, false);
    session.listen(INTERVAL_MS[accuracy]);
  }

  void endSession() {
    if (session != null) locations.removeUpdates(session);
    session = null;
  }

  /**
   * One position, as good as wanted where it can be had in time; at the end the best one, or word that there is none.
   *
   * @param isOnce whether it ends with one; otherwise every position is told until the engine ends it.
   */
  void request(int accuracy, boolean isOnce, long within_ms) {
    endRequest();
    request = new Listener(accuracy, 0, true, isOnce);
    awake.acquire(Math.min(LONGEST_WAKE_MS, within_ms + 5_000));
    watch.handler.postDelayed(deadline, within_ms);
    if (!request.listen(0)) end();
  }

  void endRequest() {
    watch.handler.removeCallbacks(deadline);
    if (request != null) locations.removeUpdates(request);
    request = null;
    if (awake.isHeld()) awake.release();
  }

  private void end() {
    if (request == null) return;
    Location best = request.best;
    endRequest();
    if (best == null) watch.tell(Input.requestFailed());
    else watch.tell(Input.positions(Collections.singletonList(best), true));
  }

  /** Asks again for what is wanted: a permission came, or location was switched on. */
  void renew() {
    if (session != null) {
      locations.removeUpdates(session);
      session.listen(INTERVAL_MS[session.accuracy]);
    }
  }

  /** The newest position that the phone remembers; null without one. */
  Location lastKnown() {
    Location newest = null;
    try {
      List<String> providers = locations.getProviders(true);
      for (String provider : providers) {
        Location known = locations.getLastKnownLocation(provider);
        if (known == null) continue;
        if (newest == null || known.getElapsedRealtimeNanos() > newest.getElapsedRealtimeNanos()) newest = known;
      }
    } catch (SecurityException e) {
      return newest; // No permission: none is known.
    }
    return newest;
  }

  /** Who can give positions of this accuracy, of those that the phone has and that are allowed. */
  private List<String> providers(int accuracy) {
    List<String> all = locations.getAllProviders();
    List<String> chosen = new ArrayList<>();
    String network = Build.VERSION.SDK_INT >= 31 && all.contains(Newer.FUSED) ? Newer.FUSED
        : LocationManager.NETWORK_PROVIDER;
    if (all.contains(network)) chosen.add(network);
    boolean isFine = new PhoneState(watch.context).isPrecise;
    if (isFine && (accuracy < COARSE || chosen.isEmpty()) && all.contains(LocationManager.GPS_PROVIDER)) {
      chosen.add(LocationManager.GPS_PROVIDER);
    }
    return chosen;
  }

  private final class Listener implements LocationListener {
    final int accuracy;
    private final float filter_m;
    private final boolean isRequest;
    private final boolean isOnce;
    private Location best;

    Listener(int accuracy, float filter_m, boolean isRequest, boolean isOnce) {
      this.accuracy = accuracy;
      this.filter_m = filter_m;
      this.isRequest = isRequest;
      this.isOnce = isOnce;
    }

    /** @return whether anybody was found to ask. */
    boolean listen(long interval_ms) {
      boolean isHeard = false;
      for (String provider : providers(accuracy)) {
        try {
          locations.requestLocationUpdates(provider, interval_ms, filter_m, this, watch.handler.getLooper());
          isHeard = true;
        } catch (SecurityException | IllegalArgumentException e) {
          // Not allowed, or not there: the engine learns it with the phone's state.
          watch.refresh();
        }
      }
      return isHeard;
    }

    @Override public void onLocationChanged(Location position) {
      if (this != session && this != request) return; // Came after it was ended.
      if (isRequest && isOnce) {
        boolean isGood = position.hasAccuracy() && position.getAccuracy() <= GOOD_M[accuracy];
        if (best == null || best.getAccuracy() > position.getAccuracy()) best = position;
        if (isGood) end();
        return;
      }
      watch.refreshSometimes();
      watch.tell(Input.positions(Collections.singletonList(position), isRequest));
    }

    @Override public void onProviderEnabled(String provider) {
      watch.refresh();
    }

    @Override public void onProviderDisabled(String provider) {
      watch.refresh();
    }

    @Override public void onStatusChanged(String provider, int status, Bundle extras) {}
  }
}
