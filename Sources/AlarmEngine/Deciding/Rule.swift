import Geometry

/// The constants of the rules.
enum Rule {
  /// The largest error of a fine position. In normal and relaxed zones half the zone's reach is allowed, if
  /// that is more.
  static let fineError = Distance.metres(30)
  static let surely = 0.7
  /// From this probability on, a coarse position rings aloud. For a safety zone a missed alarm counts as twenty times
  /// as bad as a false one: 1 / (1 + 20).
  static func loud(_ assurance: Assurance) -> Double {
    switch assurance {
    case .safety: 0.048
    case .normal: 0.35
    case .relaxed: 0.6
    }
  }
  /// From this probability on, and below `loud`, a person is told without sound that the phone is perhaps
  /// inside.
  static func quiet(_ assurance: Assurance) -> Double { assurance == .safety ? 0.02 : 0.15 }
  /// Below this probability, being inside is practically excluded.
  static func excluded(_ assurance: Assurance) -> Double { assurance == .safety ? 0.002 : 0.02 }
  /// From this probability on, a phone without a better fix counts as inside. A dwell or a departure counts
  /// from then on, and an entry zone rings if a coarse fix at it is followed by one beyond it.
  static let likely = 0.5
  /// Time to wait for a better fix: `loudConfirmation` if the position alone would ring, `confirmation` if
  /// not.
  static let loudConfirmation = TimeSpan.seconds(5)
  static let confirmation = TimeSpan.seconds(30)
  /// The time during which a person is not told again that the phone is perhaps inside.
  static let perhapsLasts = TimeSpan.hours(1)
  /// The time during which an alarm of cause `possible` does not ring anew for a certain entry.
  static let guessLasts = TimeSpan.minutes(10)
  /// How far the phone must be beyond the edge and its own error before an alarm is cleared.
  static let hysteresis = Distance.metres(20)
  /// The time since a fix clearly outside from which on a fix inside begins another visit.
  static let anotherVisit = TimeSpan.seconds(60)
  static let betweenClearFixes = TimeSpan.seconds(10)
  static let betweenExactClearFixes = TimeSpan.seconds(1)
  /// The least time for which an alarm before a predicted entry stands if the phone does not come.
  static let leastPrediction = TimeSpan.minutes(5)
  /// Fixes farther apart in time say nothing about the path between them.
  static let passingGap = TimeSpan.seconds(300)
  /// A height is believed to this many standard deviations: 99.7 % of a normal error.
  static let altitudeFactor = 3.0
  /// The standard deviation of a height without a stated one, and the least that is used of a stated one.
  static let unstatedAltitudeError = Distance.metres(50)
  static let leastAltitudeError = Distance.metres(3)
  /// Sea level is from 107 m below the WGS 84 ellipsoid to 86 m above it (EGM96).
  static let ellipsoidToSeaLevel = Distance.metres(110)
  /// Radius of the error disc in units of the phone's accuracy: 99 %, 95 % and 63 % of a circular normal error.
  static func errorFactor(_ assurance: Assurance) -> Double {
    switch assurance {
    case .safety: 2.15
    case .normal: 1.73
    case .relaxed: 1.0
    }
  }
}
