import Geometry

/// What one fix says of one zone: all that the alarm's rules look at, as plain numbers.
///
/// Distances are metres to the zone's effective edge (inset applied), negative inside. Geometry ends here:
/// the rules are a function of this value and the alarm's state, so a kept record can be judged again.
public struct Evidence: Hashable, Sendable {
  /// When it is judged: the time of the fix, of the later fix that released it from quarantine, or of the edit,
  /// activation or opening that asked for the present position.
  public var decidedAt: Instant
  public var measuredAt: Instant
  public var position: Coordinate
  public var distance: Double
  /// Radius that holds the phone's error with the zone's assurance; zero for an exact fix.
  public var error: Double
  /// The phone's own accuracy, 68 times in 100.
  public var accuracy: Double
  /// Rings at this distance: the alert distance, or more with a lead time.
  public var level: Double
  /// How far inside one can get, roughly (see `WatchedZone/reach`).
  public var reach: Double
  /// How the phone came here, where that can matter.
  public var way: Way?

  /// The straight way from the former fix.
  public struct Way: Hashable, Sendable {
    public var from: Instant
    public var fromDistance: Double
    public var fromError: Double
    /// First crossing of the level inwards, interpolated.
    public var enteredAt: Instant?
    /// Last crossing of the level outwards, interpolated.
    public var leftAt: Instant?
    /// Least distance on the way, and when and where.
    public var closest: Double
    /// The least distance along two parallel paths, offset to the left and right by the fixes' error: the larger of the
    /// two. If it is at most `level`, the path crossed the zone wherever in their error discs the fixes were.
    public var closestBeside: Double
    public var closestAt: Instant
    public var closestPosition: Coordinate
  }

  /// The whole disc lies inside, outside, or neither.
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

/// The rule that decided an evaluation. The first ones ring, the others keep silent.
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
  /// The straight way from the former fix led through the zone.
  case passedThrough
  /// Inside for as long as the zone asks.
  case dwelledLongEnough
  /// Outside after having been inside.
  case wentOut
  /// No better fix came in time, and being inside has a probability of 5 % or more; or the phone is outside again
  /// before one came, and was more likely inside than not.
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
  /// No better fix came in time, and being inside has a probability under 5 %.
  case unlikely
  /// The straight way touched the zone, but one beside it, within the fixes' errors, does not.
  case grazedOnTheWay
  /// The straight way led through the zone, but the fixes are too far apart in time to say so.
  case gapTooLong
  case dwelling
  /// Inside a zone that rings on leaving.
  case waitsForLeaving
  /// Beyond the edge, not yet surely or long enough.
  case leavingNotSure
  /// Rings already.
  case ringing
  case asleep
  case acknowledged
  /// Left or, after a leave alarm, come back: the alarm ended.
  case cleared
  /// The device is disarmed, the zone inactive or its schedule closed.
  case offDuty
  /// No evaluation: the clock was set, and what was known was moved to the new time.
  case clockJumped

  public var rings: Bool { rawValue <= Self.rangAnew.rawValue }
}

/// Numbers of the rules. Sources: the rules' own comments.
enum Rule {
  /// A normal zone believes a position whose error is at most this, or half the zone's reach.
  static let fineError = 30.0
  static let surely = 0.95
  /// A miss is held to be twenty times as bad as a wrong alarm: 1 / (1 + 20).
  static let stillPossible = 0.048
  /// Without a better fix, somebody is held to be there, or to have been: what a stay or a leaving is then reckoned
  /// from, and what rings when a coarse fix at the zone is followed by one beyond it.
  static let likely = 0.5
  /// For a better fix.
  static let confirmation = TimeSpan.seconds(30)
  /// Farther than the edge and the error, before an alarm is cleared.
  static let hysteresis = 20.0
  static let betweenClearFixes = TimeSpan.seconds(10)
  static let betweenExactClearFixes = TimeSpan.seconds(1)
  /// Fixes farther apart than this say nothing of the way between them.
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
