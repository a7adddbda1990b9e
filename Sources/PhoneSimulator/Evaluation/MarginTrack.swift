import AlarmEngine
import Geometry

/// How far the phone truly is, at every second, from all that a watch must not miss, and how far it could get from
/// one second to the next: what the bounds are worked out on.
struct MarginTrack {
  /// Metres to the nearest alert line that is still to be entered; infinite without one. Zero within.
  private(set) var toEntry: [Double] = []
  /// Metres to the nearest line at which a zone that rang owes another alarm.
  private(set) var toLeaving: [Double] = []
  /// Metres that the phone may have gone since the start; one more than there are seconds.
  private(set) var reach: [Double] = [0]
  private var motions: [Journey.Motion] = []

  var count: Int { toEntry.count }

  /// - Parameter rearmAt: metres beyond its line at which a zone that rang owes another alarm.
  /// - Complexity: seconds of movement times the zones near enough to matter; a rest costs one look.
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

  /// The same way, for an observer who knows other speeds.
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
    /// Metres to the alarm line, negative inside; a lower bound where the exact distance is not needed.
    var distance = -Double.infinity
    var hasRung = false

    init(line: AlarmLine) { self.line = line }

    mutating func move(by step: Double, to here: Coordinate, unless least: Double, rearmAt: Double) {
      distance -= step
      // Another zone is nearer and this one cannot be entered yet: its lower bound is enough.
      if !hasRung, distance > 0, distance > least { return }
      distance = line.distance(from: here)
      if distance <= 0 { hasRung = true } else if distance > rearmAt { hasRung = false }
    }
  }

  /// The first second at which the phone may have gone `metres` since `second`, and `tolerance` seconds more; the
  /// track's length if it never may.
  ///
  /// - Parameter hint: where the last answer was found; the search goes on from there.
  func next(after second: Int, metres: Double, tolerance: Double, near hint: inout Int) -> Int {
    guard metres.isFinite else { return count }
    let goal = reach[second] + metres
    var place = min(max(hint, second), reach.count)
    // Beyond it, not at it: of a phone that rests beside a line nothing new can be learned until it moves.
    while place > second, reach[place - 1] > goal { place -= 1 }
    while place < reach.count, reach[place] <= goal { place += 1 }
    hint = place
    guard place < reach.count else { return count }
    // Rounded up: a bound may wait longer than a policy.
    return min(count, max(second + 1, Int((Double(place) + tolerance).rounded(.up))))
  }
}
