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

/** Carries out the engine's requests for positions: one session at a time, and one single request beside it. */
final class Positions {
  /** The longest time that the processor is kept awake for a request. */
  private static final long LONGEST_WAKE_MS = 120_000;

  private final Watch watch;
  private final LocationManager locations;
  private final PowerManager.WakeLock awake;
  private final Runnable deadline = this::end;
  private Listener session;
  private Listener request;
  // State of the single request.
  private boolean isOnce;
  private double good_m;
  private Location best;
  /** The source that the engine was told last. */
  private int toldSource = -1;

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

  void open(long interval_ms, double filter_m, boolean isBySatellites) {
    endSession();
    session = new Listener(interval_ms, (float) Math.max(0, filter_m), isBySatellites);
    session.listen();
  }

  void endSession() {
    if (session != null) locations.removeUpdates(session);
    session = null;
  }

  /**
   * Requests one position, as good as wanted if it can be had in time. At the end the engine gets the best one, or is told that there is
   * none.
   *
   * @param isOnce whether the request ends with one position; otherwise the engine gets every position until it ends the request.
   * @param good_m a position with at most this error ends the request before its time is up.
   */
  void request(boolean isOnce, long within_ms, double good_m, boolean isBySatellites) {
    endRequest();
    request = new Listener(0, 0, isBySatellites);
    this.isOnce = isOnce;
    this.good_m = good_m;
    best = null;
    awake.acquire(Math.min(LONGEST_WAKE_MS, within_ms + 5_000));
    watch.handler.postDelayed(deadline, within_ms);
    if (!request.listen()) end();
  }

  void endRequest() {
    watch.handler.removeCallbacks(deadline);
    if (request != null) locations.removeUpdates(request);
    request = null;
    if (awake.isHeld()) awake.release();
  }

  /** Returns the stated error of a position; infinite if it states none. */
  private static double error_m(Location position) {
    return position.hasAccuracy() ? position.getAccuracy() : Double.POSITIVE_INFINITY;
  }

  private void end() {
    if (request == null) return;
    endRequest();
    if (best == null) watch.tell(Input.requestFailed());
    else tell(best, true);
  }

  private void tell(Location position, boolean ofRequest) {
    int source = source(position.getProvider());
    if (source != toldSource) watch.tell(Input.source(source));
    toldSource = source;
    watch.tell(Input.positions(Collections.singletonList(position), ofRequest));
  }

  private static int source(String provider) {
    if (LocationManager.GPS_PROVIDER.equals(provider)) return Input.BY_SATELLITES;
    return LocationManager.NETWORK_PROVIDER.equals(provider) ? Input.BY_NETWORK : Input.MIXED;
  }

  /** Starts the session again, because a permission was granted or location was switched on. */
  void renew() {
    if (session != null) {
      locations.removeUpdates(session);
      session.listen();
    }
  }

  /** Returns the newest position that the phone remembers; null if there is none. */
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

  /** Returns the providers for such positions that the phone has and that are allowed. */
  private List<String> providers(boolean isBySatellites) {
    List<String> all = locations.getAllProviders();
    List<String> chosen = new ArrayList<>();
    String network = Build.VERSION.SDK_INT >= 31 && all.contains(Newer.FUSED) ? Newer.FUSED
        : LocationManager.NETWORK_PROVIDER;
    if (all.contains(network)) chosen.add(network);
    boolean isFine = new PhoneState(watch.context).isPrecise;
    if (isFine && (isBySatellites || chosen.isEmpty()) && all.contains(LocationManager.GPS_PROVIDER)) {
      chosen.add(LocationManager.GPS_PROVIDER);
    }
    return chosen;
  }

  private final class Listener implements LocationListener {
    private final long interval_ms;
    private final float filter_m;
    private final boolean isBySatellites;

    Listener(long interval_ms, float filter_m, boolean isBySatellites) {
      this.interval_ms = interval_ms;
      this.filter_m = filter_m;
      this.isBySatellites = isBySatellites;
    }

    /** @return whether at least one provider accepted the request. */
    boolean listen() {
      boolean isHeard = false;
      for (String provider : providers(isBySatellites)) {
        try {
          locations.requestLocationUpdates(provider, interval_ms, filter_m, this, watch.handler.getLooper());
          isHeard = true;
        } catch (SecurityException | IllegalArgumentException e) {
          // Not allowed or not present: the engine learns that from the phone's state.
          watch.refresh();
        }
      }
      return isHeard;
    }

    @Override public void onLocationChanged(Location position) {
      if (this != session && this != request) return; // Came after it was ended.
      if (this == request && isOnce) {
        if (best == null || error_m(best) > error_m(position)) best = position;
        if (error_m(position) <= good_m) end();
        return;
      }
      watch.refreshSometimes();
      tell(position, this == request);
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
