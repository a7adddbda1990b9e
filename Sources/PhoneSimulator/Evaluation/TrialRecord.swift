import AlarmEngine
import PhoneHost

/// What an evaluated application leaves behind: its timeline, which outlives its processes as a file would, the
/// alarms that it raised and what it promised.
public final class TrialRecord {
  public struct Alarm: Hashable, Sendable {
    public let zone: ZoneID
    /// When the phone rang, which may be later than the crossing that the engine worked out.
    public let raisedAt: Instant
    public let cause: Cause
    /// Metres by which it may come before the line without being wrong.
    public var earliness = 0.0
    /// Metres from the line up to which it is not false if it only says that the phone may be inside.
    public var beside = 0.0
    /// Metres that the last fix before it stated.
    public var accuracy: Double?
    public init(zone: ZoneID, raisedAt: Instant, cause: Cause = .inside) {
      self.zone = zone
      self.raisedAt = raisedAt
      self.cause = cause
    }
  }
  /// How soon the user answers an alarm.
  public static let reaction = TimeSpan.seconds(5)

  public var timeline: Timeline
  /// What the application left on the disk.
  public private(set) var files: (snapshot: [UInt8], journal: [UInt8])?
  /// What passed between the policy and the phone.
  public var journal = WatchJournal()
  public private(set) var alarms: [Alarm] = []
  /// What the application shows for each zone at a time, while its process lives; nil when it does not.
  public var shown: ((Instant) -> [(zone: ZoneID, guarantee: Guarantee)]?)?

  public init(timeline: Timeline) { self.timeline = timeline }

  /// A host that goes on as the last process left it, or begins with the timeline.
  public func host<Policy: WatchDecisions>(
    _ policy: Policy, requests: PhoneHost<Policy>.Requests
  ) -> PhoneHost<Policy> {
    guard let files else { return PhoneHost(beginning: timeline, policy: policy, requests: requests) }
    guard
      let host = try? PhoneHost(
        snapshot: files.snapshot, journal: files.journal, policy: policy, requests: requests)
    else { preconditionFailure("what a host wrote can be read") }
    return host
  }

  /// Carries out `PhoneCommand.append` and `.replace`.
  public func keep(_ command: PhoneCommand) {
    switch command {
    case .append(let bytes): files?.journal += bytes
    case .replace(let bytes): files = (bytes, [])
    default: break
    }
  }

  /// Writes down a ring by another rule than the engine's.
  func ring(_ zone: ZoneID, at now: Instant) { alarms.append(Alarm(zone: zone, raisedAt: now)) }

  /// Writes down what rings for the first time.
  /// - Returns: the alarms, for the user to close.
  public func note(_ events: [Event], at now: Instant) -> [AlarmID] {
    events.compactMap { event in
      guard case .alarm(let report) = event.kind else { return nil }
      alarms.append(Alarm(zone: report.zone, raisedAt: now, cause: report.cause))
      return report.alarm
    }
  }
}

extension WatchWarning {
  /// For the phone's log.
  public var title: String {
    switch self {
    case .cannotLocate: "cannot locate"
    case .wifiIsOff: "Wi-Fi is off"
    }
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
