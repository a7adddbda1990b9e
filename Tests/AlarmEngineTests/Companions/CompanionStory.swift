import AlarmEngine
import Geometry
import TestSupport

/// Two devices on a plane around a place, with times in seconds from a fixed start.
struct CompanionStory {
  static let start = Instant(millisecondsSince1970: 1_790_000_000_000)
  static let device = DeviceID(rawValue: 0xa1)
  static let companion = CompanionID(rawValue: 0xc0)

  var origin = Coordinate(latitude: .degrees(51.5), longitude: .degrees(-0.12))
  var settings = Settings.phone

  static func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }

  static func rules(
    _ trigger: CompanionTrigger = .within, metres: Double = 500, _ assurance: Assurance = .normal,
    horizon: TimeSpan = CompanionRules.defaultHorizon
  ) throws -> CompanionRules {
    try CompanionRules(
      companion: companion, device: device, trigger: trigger, distance: .metres(metres), assurance: assurance,
      horizon: horizon)
  }

  func alarm(_ rules: CompanionRules, begins: Double = 0) -> CompanionAlarm {
    CompanionAlarm(rules, begins: Self.at(begins), watcher: settings, target: settings)
  }

  /// - Parameters:
  ///   - east: metres east of the origin, as `north` is north.
  ///   - late: seconds between measurement and receipt.
  func fix(
    _ seconds: Double, east: Double, north: Double = 0, radius: Double = 5, late: Double = 0,
    speed: Double? = nil
  ) -> Fix {
    Fix(
      position: place(east: east, north: north), accuracy: .radius(.metres(radius)),
      measuredAt: Self.at(seconds), receivedAt: Self.at(seconds + late),
      speed: speed.map { .metresPerSecond($0) })
  }

  func place(east: Double, north: Double) -> Coordinate {
    let far = (east * east + north * north).squareRoot()
    guard far > 0 else { return origin }
    let azimuth = Angle.degrees(Trigonometry.arctangentInDegrees(y: east, x: north))
    return Geodesic.destination(from: origin, azimuth: azimuth, distance: .metres(far))
  }
}

extension CompanionAlarm {
  /// The alarms that rang and have not been forgotten.
  var rung: [(at: Instant, cause: Cause, distance: Distance)] { events.rung }

  var cleared: Int {
    events.count { event in
      if case .cleared = event.kind { true } else { false }
    }
  }
}

extension [Event] {
  var rung: [(at: Instant, cause: Cause, distance: Distance)] {
    compactMap { event in
      guard case .alarm(let report) = event.kind else { return nil }
      return (event.time, report.cause, report.distance)
    }
  }
}
