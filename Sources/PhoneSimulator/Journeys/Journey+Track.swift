import AlarmEngine
import Geometry

/// The reason for which a track is not a journey.
public enum JourneyError: Error, Equatable, Sendable {
  case noFixes
}

extension Journey {
  /// Makes a journey from a recorded track, taken as the truth: straight and even between its fixes, in order
  /// of measurement. The last of several fixes at one time is used.
  ///
  /// Stretches that stay within `restRadius` for `restTime` are still; elsewhere the speed distinguishes
  /// walking, cycling and vehicle, and drifting below 0.2 m/s is still.
  /// - Throws: ``JourneyError/noFixes``.
  /// - Complexity: O(n log n), plus n times the fixes within one `restTime`.
  public init(
    track: [Fix], restRadius: Distance = .metres(20), restTime: TimeSpan = .seconds(60),
    surroundings: Surroundings = .outdoors
  ) throws(JourneyError) {
    guard !track.isEmpty else { throw .noFixes }
    let ordered = track.enumerated().sorted {
      ($0.element.measuredAt, $0.offset) < ($1.element.measuredAt, $1.offset)
    }
    var points: [Point] = []
    for (_, fix) in ordered {
      if let last = points.last, last.time == fix.measuredAt { points.removeLast() }
      points.append(
        Point(time: fix.measuredAt, position: fix.position, motion: .still, surroundings: surroundings))
    }
    Self.label(&points, restRadius: restRadius, restTime: restTime)
    self.init(points: points)
  }

  /// Speeds below which a span is still, walking and cycling, metres per second. Drift this slow comes from a
  /// logger that was asleep.
  private static let paces = (still: 0.2, walking: 2.5, cycling: 8.0)

  private static func label(_ points: inout [Point], restRadius: Distance, restTime: TimeSpan) {
    var place = 0
    while place + 1 < points.count {
      var end = place + 1
      while end < points.count, points[place].position.distance(to: points[end].position) <= restRadius {
        end += 1
      }
      if points[end - 1].time - points[place].time >= restTime {
        // All spans that end within the circle are still.
        place = end - 1
        continue
      }
      let (a, b) = (points[place], points[place + 1])
      let pace = a.position.distance(to: b.position).metres / (b.time - a.time).seconds
      points[place].motion =
        pace < paces.still
        ? .still : pace < paces.walking ? .walking : pace < paces.cycling ? .cycling : .vehicle
      place += 1
    }
  }

  /// The same journey with rests before and after it, which a logger that runs only on the move leaves out.
  public func padded(
    before: TimeSpan, after: TimeSpan, surroundings: Surroundings = .outdoors
  ) -> Journey {
    var points = vertices.map {
      Point(time: $0.time, position: $0.position, motion: $0.motion, surroundings: $0.surroundings)
    }
    if before > .zero {
      points.insert(
        Point(
          time: start - before, position: points[0].position, motion: .still, surroundings: surroundings),
        at: 0)
    }
    if after > .zero {
      points[points.count - 1].motion = .still
      points[points.count - 1].surroundings = surroundings
      points.append(
        Point(
          time: end + after, position: points[points.count - 1].position, motion: .still,
          surroundings: surroundings))
    }
    return Journey(points: points)
  }

  /// The same journey with a rest at its end that makes it a whole number of days.
  public func paddedToDays(surroundings: Surroundings = .outdoors) -> Journey {
    let day = TimeSpan.hours(24).milliseconds
    let length = (end - start).milliseconds
    let missing = (day - length % day) % day
    return padded(before: .zero, after: .milliseconds(missing), surroundings: surroundings)
  }
}
