import AlarmEngine
import Geometry

/// The trend of a phone towards a zone that rings or away from it, steady against the jitter of fixes.
///
/// It turns when the distance is `band` metres from the least or the greatest one since the last turn.
struct ApproachTrend: Hashable, Sendable {
  let zone: ZoneID
  private(set) var isNearing: Bool
  /// The least distance while nearing, the greatest while going away.
  private var extreme: Double

  /// Creates the trend of an alarm that has just begun. For a zone left or passed it begins with going away,
  /// else with nearing.
  init(zone: ZoneID, cause: Cause, distance: Double) {
    self.zone = zone
    extreme = distance
    switch cause {
    case .inside, .near, .dwell, .possible: isNearing = true
    case .passed, .left: isNearing = false
    }
  }

  /// - Parameter accuracy: of the fix, metres. Changes within it do not count as a turn.
  mutating func take(distance: Double, accuracy: Double) {
    let band = max(10, min(100, accuracy))
    if isNearing {
      extreme = min(extreme, distance)
      if distance > extreme + band { (isNearing, extreme) = (false, distance) }
    } else {
      extreme = max(extreme, distance)
      if distance < extreme - band { (isNearing, extreme) = (true, distance) }
    }
  }
}

extension PageEngine {
  /// Follows every zone that rings with the last position.
  mutating func followTrends() {
    guard let timeline, let fix = timeline.position else { return }
    let surroundings = timeline.surroundings(at: fix.measuredAt)
    let accuracy = fix.accuracy.stated?.metres ?? 0
    var followed: [ApproachTrend] = []
    for (id, state) in timeline.states {
      guard case .ringing(_, let cause) = state, let slot = surroundings.slot(of: id) else { continue }
      let distance = surroundings.nearby(slot, from: fix.position).toEdge.metres
      var trend =
        trends.first { $0.zone == id } ?? ApproachTrend(zone: id, cause: cause, distance: distance)
      trend.take(distance: distance, accuracy: accuracy)
      followed.append(trend)
    }
    trends = followed
  }
}
