import AlarmEngine
import Geometry

/// The least number of fixes with which an observer that knows only a speed limit can be certain that the
/// phone entered no zone without an alarm: the greedy schedule on the true track (theorems 2 and 3).
///
/// It has no motion hardware: a policy that relies on it may need fewer.
public struct SafePeriodBound: Hashable, Sendable {
  /// Metres a second.
  public var greatestSpeed = 45.0
  /// Seconds that a stay may last without an alarm, and the time for a fix: the least gap between two fixes.
  public var tolerance = 10.0
  /// Greatest error of a fix in metres; the zones are grown by twice that.
  public var error = 17.3
  /// Metres from the line at which a zone that rang is watched again.
  public var hysteresis = 20.0
  public init() {}

  /// The count over the whole journey.
  /// - Complexity: linear in the count and the zones.
  public func fixes(_ journey: Journey, zones: [Zone], settings: Settings = .phone) -> Int {
    let lines = zones.filter(\.active).compactMap { AlarmLine($0, settings: settings) }
    guard !lines.isEmpty else { return 0 }
    var alarmed = [Bool](repeating: false, count: lines.count)
    var time = journey.start
    var count = 0
    while time <= journey.end {
      count += 1
      let place = journey.position(at: time)
      var margin = Double.infinity
      for (index, line) in lines.enumerated() {
        let distance = line.distance(from: place)
        if distance <= 0 { alarmed[index] = true }
        if distance > hysteresis { alarmed[index] = false }
        margin = min(
          margin, alarmed[index] ? hysteresis - distance : max(0, distance - 2 * error))
      }
      time = time + .seconds(margin / greatestSpeed + tolerance)
    }
    return count
  }
}
