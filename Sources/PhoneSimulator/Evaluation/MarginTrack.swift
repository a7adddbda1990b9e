import AlarmEngine
import Geometry

/// The true distance at every second from all lines that a policy must not miss, and the distance that the
/// phone could go from one second to the next. The bounds are computed from it.
struct MarginTrack {
  /// Metres to the nearest alert line still to be entered; infinite without one, zero beyond it.
  private(set) var toEntry: [Double] = []
  /// Metres to the nearest line at which a zone that rang is armed again.
  private(set) var toLeaving: [Double] = []
  /// Metres that the phone may have gone since the start; one entry more than there are seconds.
  private(set) var reach: [Double] = [0]
  private var motions: [Journey.Motion] = []

  var count: Int { toEntry.count }

  /// - Parameter rearmAt: metres beyond its line at which a zone that rang is armed again.
  /// - Complexity: seconds of movement times the number of zones near enough to matter; a rest costs one
  ///   step.
  init(_ journey: Journey, lines: [AlarmLine], speeds: KnownSpeeds, rearmAt: Double) {
    var zones = lines.map { Watched(line: $0) }
    let seconds = Int((journey.end - journey.start).seconds.rounded(.down))
    var place: Coordinate?
    for second in 0...max(0, seconds) {
      let time = journey.start + .seconds(Double(second))
      let here = journey.position(at: time)
      if here != place {
        let step = place.map { $0.distance(to: here).metres } ?? .infinity
        place = here
        toEntry.append(.infinity)
        toLeaving.append(.infinity)
        for index in zones.indices {
          zones[index].move(by: step, to: here, unless: toEntry[second], rearmAt: rearmAt)
          if zones[index].hasRung {
            toLeaving[second] = min(toLeaving[second], rearmAt - zones[index].distance)
          } else {
            toEntry[second] = min(toEntry[second], max(0, zones[index].distance))
          }
        }
      } else {
        toEntry.append(toEntry[second - 1])
        toLeaving.append(toLeaving[second - 1])
      }
      motions.append(journey.motion(at: time))
    }
    observe(speeds)
  }

  /// Keeps the way, for an observer that knows other speeds.
  mutating func observe(_ speeds: KnownSpeeds) {
    reach = [0]
    reach.reserveCapacity(motions.count + 1)
    var sum = 0.0
    for motion in motions {
      sum += speeds.limit(motion)
      reach.append(sum)
    }
  }

  private struct Watched {
    let line: AlarmLine
    /// Metres to the alarm line, negative beyond it; a lower bound if the exact distance is not needed.
    var distance = -Double.infinity
    var hasRung = false

    init(line: AlarmLine) { self.line = line }

    mutating func move(by step: Double, to here: Coordinate, unless least: Double, rearmAt: Double) {
      distance -= step
      // Another zone is nearer and this one cannot be entered yet, so its lower bound is enough.
      if !hasRung, distance > 0, distance > least { return }
      distance = line.distance(from: here)
      if distance <= 0 { hasRung = true } else if distance > rearmAt { hasRung = false }
    }
  }

  /// The first second at which the phone may have gone more than `metres` since `second`, plus `tolerance`
  /// seconds; the track's length if there is none.
  ///
  /// - Parameter hint: the position of the last answer, where the search begins.
  func next(after second: Int, metres: Double, tolerance: Double, near hint: inout Int) -> Int {
    guard metres.isFinite else { return count }
    let goal = reach[second] + metres
    var place = min(max(hint, second), reach.count)
    // Beyond it, not at it: a phone at rest beside a line gives no new information until it moves.
    while place > second, reach[place - 1] > goal { place -= 1 }
    while place < reach.count, reach[place] <= goal { place += 1 }
    hint = place
    guard place < reach.count else { return count }
    // Rounded up: a bound may wait longer than a policy.
    return min(count, max(second + 1, Int((Double(place) + tolerance).rounded(.up))))
  }
}
