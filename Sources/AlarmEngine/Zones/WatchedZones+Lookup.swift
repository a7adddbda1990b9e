import Geometry

extension WatchedZones {
  /// Nil for a zone that is not among them, or that has no area.
  public func zone(_ id: ZoneID) -> Zone? { position(of: id).map { zones[$0] } }

  /// The active zones nearest by distance to their alert line, at most `k` of them, nearest first, equal distances by
  /// urgency. Whether their schedules are open is left aside.
  public func nearest(_ k: Int, to position: Coordinate) -> [Zone] {
    let surroundings = Surroundings(
      zones: self, alarms: [:], armed: true, now: Instant.allowed.lowerBound, suspectIsNearZone: false)
    return surroundings.nearest(k, to: position) { zones[$0].active }.map { zones[$0.zone] }
  }
}
