import Geometry

/// A record of one evaluation of one zone: its inputs, its margins and the rule that decided.
///
/// It holds everything that the rules used, so that the decision can be computed again.
public struct Explanation: Hashable, Sendable {
  public let zone: ZoneID
  public let decidedAt: Instant
  public let basis: Basis
  /// The alarm's state before the evaluation.
  public let before: ZoneAlarm
  public let rules: ZoneRules
  public let verdict: Verdict

  public enum Basis: Hashable, Sendable {
    case fix(Evidence)
    /// A confirmation or a dwell ended.
    case time
    case offDuty(OffDuty, distance: Distance)
    /// The host's clock was set; `before` is the alarm's state by the new clock.
    case clockJumped(by: TimeSpan)
  }

  /// Computes the decision again from the record alone. Equals `verdict` for every record of this engine.
  public func replayed() -> Verdict? {
    var alarm = before
    switch basis {
    case .fix(let evidence): return alarm.see(evidence, of: rules).verdict
    case .time: return alarm.timeIsUp(at: decidedAt, of: rules)?.verdict
    case .offDuty: return .offDuty
    case .clockJumped: return .clockJumped
    }
  }

  /// The distance to the zone's effective edge at this evaluation; nil if none was measured.
  public var distance: Distance? {
    switch basis {
    case .fix(let evidence): evidence.distance
    case .time, .clockJumped: nil
    case .offDuty(_, let distance): distance
    }
  }
}
