import Geometry

/// A circle without zones around an earlier fix: a fix that is well inside it needs no measuring. If it is lost, it is found
/// again.
struct EmptyCircle: Sendable {
  /// Of the last accepted fix, in space.
  var last: Cartesian?
  private var center = Cartesian(x: 0, y: 0, z: 0)
  /// Metres around `center` within which there is no zone.
  private var radius = 0.0

  /// - Parameter anchor: the last accepted fix.
  func place(of anchor: Fix) -> Cartesian { last ?? anchor.position.ecef }

  /// Metres that a place is at least from all zones, as far as is known.
  func clearance(at place: Cartesian) -> Double {
    radius > 0 ? radius - center.groundAtMost(to: place).metres : 0
  }

  mutating func found(_ clearance: Double, around place: Cartesian) { (center, radius) = (place, clearance) }
}

extension DeviceAlarms {
  /// Whether an accepted fix is so far from all zones that judging it would change nothing, by bounds alone and without a
  /// geodesic.
  ///
  /// - Parameter place: of the fix.
  mutating func isFarFromAllZones(
    at place: Cartesian, _ fix: Fix, from former: Fix?, explained: ZoneID?
  ) -> Bool {
    guard alarms.isEmpty, explained == nil else { return false }
    let length = former.map { emptyCircle.place(of: $0).groundAtMost(to: place).metres } ?? 0
    // Of a step no shorter than the true one, and a metre more than distances are measured wrong.
    let step = Step(
      fix: fix, former: former, decidedAt: fix.measuredAt, settings: settings, length: length + 0.001)
    let reach = farthest(step) + 1
    if emptyCircle.clearance(at: place) > reach { return true }
    // Far enough for some more steps like this one.
    let limit = reach + 4 * length + 500
    let clearance = zones.index.clearance(around: place, above: .metres(reach), upTo: .metres(limit))
    emptyCircle.found(clearance?.metres ?? 0, around: place)
    return clearance != nil
  }
}
