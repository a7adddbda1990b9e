import AlarmEngine
import Geometry

/// A track as a page draws it: where the phone was when, how fast, and where it stayed.
struct TrackPicture {
  /// Latitude, longitude, accuracy (NaN: none stated), milliseconds, metres per second (NaN: not known).
  static let width = 5
  private(set) var steps: [Double] = []
  private(set) var stays: [ClosedRange<Instant>] = []

  /// It stays where it moves no further than this from one place, or than the fix is wrong, for so long.
  private static let stayRadius = 60.0
  private static let stayLength = TimeSpan.minutes(5)
  /// A speed is made of two fixes no further apart than this.
  private static let speedGap = TimeSpan.minutes(5)

  /// - Parameter fixes: in the order of time.
  init(_ fixes: [Fix]) {
    steps.reserveCapacity(fixes.count * Self.width)
    for (index, fix) in fixes.enumerated() {
      let former = index > 0 ? fixes[index - 1] : nil
      steps += [
        fix.position.latitude.degrees, fix.position.longitude.degrees, Self.radius(fix) ?? .nan,
        Double(fix.measuredAt.millisecondsSince1970), Self.speed(fix, after: former) ?? .nan,
      ]
    }
    findStays(fixes)
  }

  private static func radius(_ fix: Fix) -> Double? {
    guard case .radius(let radius) = fix.accuracy else { return nil }
    return radius.metres
  }

  private static func speed(_ fix: Fix, after former: Fix?) -> Double? {
    if let speed = fix.speed { return speed.metresPerSecond }
    guard let former else { return nil }
    let span = fix.measuredAt - former.measuredAt
    guard span > .zero, span <= speedGap else { return nil }
    return former.position.distance(to: fix.position).metres / span.seconds
  }

  private mutating func findStays(_ fixes: [Fix]) {
    var start = 0
    while start < fixes.count {
      var end = start
      while end + 1 < fixes.count, Self.isNear(fixes[end + 1], fixes[start]) { end += 1 }
      if fixes[end].measuredAt - fixes[start].measuredAt >= Self.stayLength {
        stays.append(fixes[start].measuredAt...fixes[end].measuredAt)
        start = end + 1
      } else {
        // A quarter of what was looked at: the whole stays linear, and no stay is missed by more.
        start += max(1, (end - start) / 4)
      }
    }
  }

  private static func isNear(_ fix: Fix, _ anchor: Fix) -> Bool {
    anchor.position.distance(to: fix.position).metres <= max(stayRadius, radius(fix) ?? 0)
  }
}
