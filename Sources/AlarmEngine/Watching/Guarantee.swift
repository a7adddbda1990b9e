import Geometry

/// What a watch policy promises at this moment; shown live.
public enum Guarantee: Hashable, Sendable {
  /// No alarm comes later than this many seconds after the moment named, as long as the phone is no faster and
  /// its fixes lie within their stated errors.
  case guaranteed(upTo: Speed, late: Double, after: Moment)
  case bestEffort(Shortfall)
  case notWatched(Silence)

  public enum Moment: UInt8, Hashable, Sendable {
    case entry
    /// The phone is parked: counted from its departure, if that is later than the entry.
    case departure
  }
  /// Why there is no more than an effort.
  public enum Shortfall: UInt8, Hashable, Sendable {
    case onlyWhileVisible, onlyInUse, noFix, policyHasNoBound
  }
  /// Why nothing is watched.
  public enum Silence: UInt8, Hashable, Sendable {
    case stopped, nothingOnDuty, notAuthorized, approximateOnly, scheduleClosed, inactive
  }

  /// Metres beyond the line at which the alarm may come, at the speed named.
  public var farthestLate: Distance? {
    guard case .guaranteed(let speed, let late, _) = self else { return nil }
    return .metres(speed.metresPerSecond * late)
  }
}
