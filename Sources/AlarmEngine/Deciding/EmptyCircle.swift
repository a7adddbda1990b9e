import Geometry

/// A circle without zones around an earlier fix: a fix that is well inside it needs no measuring. If it is lost, it is found
/// again.
struct EmptyCircle: Sendable {
  /// Of the last accepted fix, in space.
  var last: Cartesian?
  private var center = Cartesian(x: 0, y: 0, z: 0)
  /// Around `center`, within which there is no zone.
  private var radius = Distance.zero

  /// - Parameter anchor: the last accepted fix.
  func place(of anchor: Fix) -> Cartesian { last ?? anchor.position.ecef }

  /// Whether no zone is within `reach` of a place, by bounds alone and without a geodesic. If the circle does not
  /// show it, looks for a new one.
  ///
  /// - Parameter step: from the fix before; a new circle is made large enough for some more such steps.
  mutating func isFree(_ reach: Distance, around place: Cartesian, step: Distance, in zones: WatchedZones)
    -> Bool
  {
    if radius > .zero, radius - center.groundAtMost(to: place) > reach { return true }
    let limit = reach + step * 4 + .metres(500)
    let clearance = zones.index.clearance(around: place, above: reach, upTo: limit)
    (center, radius) = (place, clearance ?? .zero)
    return clearance != nil
  }
}
