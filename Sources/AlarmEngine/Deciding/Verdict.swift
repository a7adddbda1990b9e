/// The rule that decided an evaluation. The cases up to `rangAnew` ring, the others keep silent.
public enum Verdict: UInt8, Hashable, Sendable, CaseIterable {
  /// The position is inside and the fix fine enough. Safety: or the whole disc is inside.
  case positionInside
  /// A coarse fix, inside with a probability of 70 % or more.
  case probablyInside
  /// Safety, and the phone may be approaching: the disc of a fine fix touches the zone, or a coarse fix gives
  /// a probability of 5 % or more of being inside.
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
  /// Outside for as long as a leave zone asks.
  case stayedOutside
  /// No better fix came in time, and the phone is likely enough inside: with a probability of 5 % or more for
  /// a safety zone (70 % at rest or by the mobile network), 35 % for a normal one, 60 % for a relaxed one; or
  /// two such coarse fixes came in a row. Or the phone was probably inside by a coarse fix, and is outside by
  /// the next one.
  case stillPossible
  /// Triggered again after a sleep or an acknowledgement that has ended.
  case rangAnew

  /// The whole disc lies outside.
  case outside
  /// The disc touches the zone, but the position of a fine fix is outside, or being inside is practically
  /// excluded.
  case beside
  /// A coarse fix: a better one is asked for.
  case waitsForBetterFix
  /// Relaxed: one position inside, another has to agree.
  case waitsForSecondFix
  /// No better fix came in time, and the probability of being inside is too low to mention.
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
  /// Left a leave zone, but not yet outside for as long as it asks.
  case waitsOutside
  /// Inside a leave zone again before it had been left for as long as it asks.
  case cameBack
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
  /// A person is told without sound that the phone is perhaps inside: no better fix came in time, and being
  /// inside is possible, but not likely enough to ring.
  case perhaps
  /// Surely above the zone's ceiling or below its floor.
  case overOrUnder

  public var rings: Bool { rawValue <= Self.rangAnew.rawValue }
}
