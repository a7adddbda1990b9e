package app.proximity;

import android.app.PendingIntent;
import android.content.Context;
import android.location.LocationManager;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/**
 * Circles that the system watches. A crossing wakes the engine, which then requests a position. It never decides anything by itself, since
 * the system may miss a brief crossing.
 */
final class Fences {
  /** One fence. Fences with the same fields are equal. */
  static final class Fence {
    final long id;
    final double latitude;
    final double longitude;
    final double radius_m;

    Fence(long id, double latitude, double longitude, double radius_m) {
      this.id = id;
      this.latitude = latitude;
      this.longitude = longitude;
      this.radius_m = radius_m;
    }

    boolean isSame(Fence other) {
      return other != null && id == other.id && latitude == other.latitude && longitude == other.longitude
          && radius_m == other.radius_m;
    }
  }

  private final Watch watch;
  private final LocationManager locations;
  private final Map<Long, Fence> laid = new HashMap<>();

  Fences(Watch watch) {
    this.watch = watch;
    locations = (LocationManager) watch.context.getSystemService(Context.LOCATION_SERVICE);
  }

  boolean isOn() {
    return !laid.isEmpty();
  }

  /** Sets the fences; all others are removed. */
  void lay(Map<Long, Fence> wanted) {
    for (Long id : new HashSet<>(laid.keySet())) {
      if (wanted.containsKey(id)) continue;
      locations.removeProximityAlert(intent(id));
      laid.remove(id);
    }
    for (Fence fence : wanted.values()) {
      if (fence.isSame(laid.get(fence.id))) continue;
      try {
        PendingIntent intent = intent(fence.id);
        locations.removeProximityAlert(intent);
        locations.addProximityAlert(fence.latitude, fence.longitude, (float) fence.radius_m, -1, intent);
        laid.put(fence.id, fence);
      } catch (SecurityException | IllegalArgumentException e) {
        watch.tell(Input.fence(fence.id, Input.FAILED));
      }
    }
  }

  /**
   * Handles a crossing. A fence that is not in the list was set by an earlier process; it is removed, since each crossing would wake the
   * phone.
   */
  void crossed(long id, boolean isEntering) {
    if (!laid.containsKey(id)) locations.removeProximityAlert(intent(id));
    watch.tell(Input.fence(id, isEntering ? Input.ENTERED : Input.EXITED));
  }

  private PendingIntent intent(long id) {
    // The system adds to the intent whether the circle was entered or left.
    return EventReceiver.pending(watch.context, EventReceiver.FENCE, id, true);
  }
}
