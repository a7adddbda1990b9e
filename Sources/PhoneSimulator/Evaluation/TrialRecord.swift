import AlarmEngine
import PhoneHost

/// Data that an evaluated application leaves behind: its timeline, which outlives its processes as a file
/// would, its alarms and its promises.
public final class TrialRecord {
  public struct Alarm: Hashable, Sendable {
    public let zone: ZoneID
    /// The time at which the phone rang; it may be later than the crossing computed by the engine.
    public let raisedAt: Instant
    public let cause: Cause
    /// Metres before the line within which an early alarm is still right.
    public var earliness = 0.0
    /// Metres from the line within which an alarm that only says "possible" is not false.
    public var beside = 0.0
    /// Stated accuracy in metres of the last fix before the alarm.
    public var accuracy: Double?
    public init(zone: ZoneID, raisedAt: Instant, cause: Cause = .inside) {
      self.zone = zone
      self.raisedAt = raisedAt
      self.cause = cause
    }
  }
  /// The time in which the user answers an alarm.
  public static let reaction = TimeSpan.seconds(5)

  public var timeline: Timeline
  /// The application's files on disk.
  public private(set) var files: (snapshot: [UInt8], journal: [UInt8])?
  /// Called with each `PhoneCommand.append` and `.replace`, to keep the journals that a snapshot replaces.
  public var onKeep: ((PhoneCommand) -> Void)?
  /// The events and commands between the policy and the phone.
  public var journal = WatchJournal()
  public private(set) var alarms: [Alarm] = []
  /// The guarantee that the application shows for each zone at a time; after the end of its process, that of
  /// its last moment.
  public var shown: ((Instant) -> [(zone: ZoneID, guarantee: Guarantee)]?)?
  /// Replaces the application's zones, as its user does; nil if its process has ended.
  public var edit: (([Zone]) -> Void)?
  /// Tells the application that the phone's battery or clock has changed; nil if its process has ended.
  public var conditionsChanged: (() -> Void)?
  /// The phone's clock minus true time.
  var clockError: () -> TimeSpan = { .zero }

  public init(timeline: Timeline) { self.timeline = timeline }

  /// A host that continues from the last process' files, or begins with the timeline.
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
    onKeep?(command)
    switch command {
    case .append(let bytes): files?.journal += bytes
    case .replace(let bytes): files = (bytes, [])
    default: break
    }
  }

  /// Records a ring by a rule other than the engine's.
  func ring(_ zone: ZoneID, at now: Instant) { alarms.append(Alarm(zone: zone, raisedAt: now)) }

  /// Records each alarm that rings for the first time.
  ///
  /// - Parameter now: the time by the phone's clock.
  /// - Returns: the alarms, for the user to close.
  public func note(_ events: [Event], at now: Instant) -> [AlarmID] {
    events.compactMap { event in
      guard case .alarm(let report) = event.kind else { return nil }
      alarms.append(Alarm(zone: report.zone, raisedAt: now - clockError(), cause: report.cause))
      return report.alarm
    }
  }
}

extension WatchWarning {
  /// The name in the phone's log.
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
