import Geometry

/// What one fix says of one zone: all that the alarm's rules look at, as plain numbers.
///
/// Distances are metres to the zone's effective edge (inset applied), negative inside. Geometry ends here:
/// the rules are a function of this value and the alarm's state, so a kept record can be judged again.
public struct Evidence: Hashable, Sendable {
  /// When the fix is judged: at its own time, at the time of the later fix that released it from quarantine,
  /// or at the time of the edit, activation or opening hours that had the present position judged again.
  public var decidedAt: Instant
  public var measuredAt: Instant
  public var position: Coordinate
  public var distance: Double
  /// Radius of the error disc, which holds the phone with the probability that the zone's assurance asks for;
  /// zero for an exact fix.
  public var error: Double
  /// The accuracy that the phone states: the radius that holds it with a probability of 68 %.
  public var accuracy: Double
  /// The distance at which the zone rings: the alert distance, or more where a lead time asks for it.
  public var level: Double
  /// The greatest depth inside the zone, roughly: see `WatchedZones.reach(of:)`.
  public var reach: Double
  /// The path from the previous fix; nil where it cannot matter.
  public var way: Way?

  /// The straight path from the previous fix to this one.
  public struct Way: Hashable, Sendable {
    public var from: Instant
    public var fromDistance: Double
    public var fromError: Double
    /// When the path first crossed `level` inwards, interpolated between the two fixes.
    public var enteredAt: Instant?
    /// When the path last crossed `level` outwards, interpolated.
    public var leftAt: Instant?
    /// The least distance along the path; `closestAt` and `closestPosition` say when and where.
    public var closest: Double
    /// The least distance along two parallel paths, offset to the left and right by the fixes' error: the larger of the
    /// two. If it is at most `level`, the path crossed the zone wherever in their error discs the fixes were.
    public var closestBeside: Double
    public var closestAt: Instant
    public var closestPosition: Coordinate
  }

  /// Whether the whole error disc lies inside `level`, outside of it, or neither.
  public var sighting: Sighting {
    if distance + error <= level { return .inside }
    return distance - error > level ? .outside : .unsure
  }

  /// How likely the phone is within the level, 0 to 1 (see `Probability`).
  var probabilityInside: Double {
    Probability.inside(
      distance: .metres(distance - level), accuracy: .metres(accuracy), depth: .metres(reach))
  }
}

/// What a fix says of a zone.
public enum Sighting: UInt8, Hashable, Sendable {
  case inside, outside, unsure
}

/// The rule that decided an evaluation. Those up to `rangAnew` ring, the others keep silent.
public enum Verdict: UInt8, Hashable, Sendable, CaseIterable {
  /// The position is inside and the fix fine enough.
  case positionInside
  /// A coarse fix, inside with a probability of 95 % or more.
  case probablyInside
  /// Safety: the disc touches the zone.
  case insideNotExcluded
  /// Relaxed: the whole disc is inside.
  case certainlyInside
  /// Relaxed: a second position inside in a row.
  case twoFixesAgree
  /// The straight path from the previous fix led through the zone.
  case passedThrough
  /// Inside for as long as the zone asks.
  case dwelledLongEnough
  /// Outside after having been inside.
  case wentOut
  /// No better fix came in time, and the phone is inside with a probability of 5 % or more. Or the phone was
  /// more likely inside than not, and is outside again before a better fix came.
  case stillPossible
  /// Triggered again after its sleep.
  case rangAnew

  /// The whole disc lies outside.
  case outside
  /// The disc touches the zone, the position does not, and the fix is fine enough to say so.
  case beside
  /// A coarse fix: a better one is asked for.
  case waitsForBetterFix
  /// Relaxed: one position inside, another has to agree.
  case waitsForSecondFix
  /// No better fix came in time, and the phone is inside with a probability of less than 5 %.
  case unlikely
  /// The straight path touches the zone, but a parallel path within the fixes' errors does not.
  case grazedOnTheWay
  /// The straight path led through the zone, but too much time lies between the fixes to assume that the
  /// phone took it.
  case gapTooLong
  case dwelling
  /// Inside a zone that rings on leaving.
  case waitsForLeaving
  /// Outside the edge, but not yet with certainty or for long enough.
  case leavingNotSure
  /// Rings already.
  case ringing
  case asleep
  case acknowledged
  /// The alarm ended: the phone left, or came back after a leave alarm.
  case cleared
  /// The device is disarmed, the zone inactive or its schedule closed.
  case offDuty
  /// Not an evaluation: the clock was set, and the remembered times were moved with it.
  case clockJumped

  public var rings: Bool { rawValue <= Self.rangAnew.rawValue }
}

/// The constants of the rules.
enum Rule {
  /// A normal zone believes a position whose error is at most this, or half the zone's reach.
  static let fineError = 30.0
  static let surely = 0.95
  /// A missed alarm counts as twenty times as bad as a false one: 1 / (1 + 20).
  static let stillPossible = 0.048
  /// From this probability on, a phone without a better fix counts as inside. A stay or a departure is
  /// reckoned from that time, and the zone rings if a coarse fix at it is followed by one beyond it.
  static let likely = 0.5
  /// How long to wait for a better fix.
  static let confirmation = TimeSpan.seconds(30)
  /// Metres that the phone must be beyond the edge and its own error before an alarm is cleared.
  static let hysteresis = 20.0
  static let betweenClearFixes = TimeSpan.seconds(10)
  static let betweenExactClearFixes = TimeSpan.seconds(1)
  /// Fixes farther apart in time say nothing about the path between them.
  static let passingGap = TimeSpan.seconds(300)
  /// Radius of the error disc in units of the phone's accuracy: 99 %, 95 % and 63 % of a circular normal error.
  static func errorFactor(_ assurance: Assurance) -> Double {
    switch assurance {
    case .safety: 2.15
    case .normal: 1.73
    case .relaxed: 1.0
    }
  }
}
