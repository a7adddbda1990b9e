import AlarmEngine

/// What an evaluated application leaves behind: its timeline, which outlives its processes as a file would, the
/// alarms that it raised and what it promised.
public final class TrialRecord {
  public struct Alarm: Hashable, Sendable {
    public let zone: ZoneID
    /// When the phone rang, which may be later than the crossing that the engine worked out.
    public let raisedAt: Instant
    public init(zone: ZoneID, raisedAt: Instant) {
      self.zone = zone
      self.raisedAt = raisedAt
    }
  }
  public struct Promise: Hashable, Sendable {
    public let from: Instant
    public let guarantee: Guarantee
    public init(from: Instant, guarantee: Guarantee) {
      self.from = from
      self.guarantee = guarantee
    }
  }

  public var timeline: Timeline
  public private(set) var alarms: [Alarm] = []
  /// Ascending; each holds until the next.
  public private(set) var promises: [Promise] = []

  public init(timeline: Timeline) { self.timeline = timeline }

  /// Writes down what rings for the first time.
  /// - Returns: the alarms, for the user to close.
  public func note(_ events: [Event], at now: Instant) -> [AlarmID] {
    events.compactMap { event in
      guard case .alarm(let report) = event.kind else { return nil }
      alarms.append(Alarm(zone: report.zone, raisedAt: now))
      return report.alarm
    }
  }

  /// Writes down what the policy promises from now on, where it promises anything.
  public func note(_ policy: any WatchDecisions, at now: Instant) {
    guard let guarantee = (policy as? CertifiedWatch)?.guarantee else { return }
    guard promises.last?.guarantee != guarantee else { return }
    if promises.last?.from == now { promises.removeLast() }
    promises.append(Promise(from: now, guarantee: guarantee))
  }
}

extension Motion {
  public init(_ motion: Journey.Motion) {
    switch motion {
    case .still: self = .still
    case .walking: self = .walking
    case .cycling: self = .cycling
    case .vehicle: self = .driving
    }
  }
}
