import AlarmEngine
import Geometry

/// The record of one alarm: its cause, place and answer. It is kept under one id for ever.
public struct AlarmRecord: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// The alarm repeats until somebody answers.
    case ringing
    /// The notification was closed; repeats go on.
    case closed
    case sleeping(until: Instant)
    case acknowledgedInside
    case acknowledgedForToday(until: Instant)
    case cleared(Clearing, at: Instant)
    /// A late fix showed that the alarm should not have rung.
    case retracted
  }
  /// The subject of the alarm.
  public enum Subject: Hashable, Sendable {
    /// A zone, with its name as it was then.
    case zone(ZoneID, name: Text, Cause)
    /// No fix while near the zone.
    case missedSignal(ZoneID, name: Text)
    /// The device did not report in time (F8).
    case silence(since: Instant)
    /// The phone's battery is low (0 to 1), so the phone will soon stop watching.
    case lowBattery(level: Double)
    /// Somebody pressed the phone's SOS button.
    case distress
    /// A person has not said by the time of their check-in that they are back. The position is the last known
    /// place, of the given time.
    case missedCheckIn(note: Text, seenAt: Instant?)
    /// A phone has not arrived at a zone by the time at which it is to be there.
    case notArrived(NotArrived)
    /// The phone's messages are encrypted and cannot be read, so no zone can ring.
    case unreadable(DeviceStatus.Unread)
    /// A companion alarm, with the target's name.
    case companion(CompanionID, name: Text, CompanionNews)
  }
  /// A phone that was to be at a zone by a time. The alarm's position is the last known place.
  public struct NotArrived: Hashable, Sendable {
    public let expected: ExpectedArrivalID
    public let zone: ZoneID
    /// The zone's name as it was then.
    public let name: Text
    /// Minutes after midnight, by the clocks of the expected arrival's time zone.
    public let minute: Int
    /// The time of the last known place; nil if there is none.
    public let seenAt: Instant?

    public init(expected: ExpectedArrivalID, zone: ZoneID, name: Text, minute: Int, seenAt: Instant?) {
      self.expected = expected
      self.zone = zone
      self.name = name
      self.minute = minute
      self.seenAt = seenAt
    }
  }
  /// The news that a companion alarm reports.
  public enum CompanionNews: UInt8, CaseIterable, Hashable, Sendable {
    /// The two are within the distance.
    case near = 1
    /// They are farther apart than the distance.
    case apart
    /// One of the two has not been heard of for too long, so nothing can ring.
    case lost
    /// The alarm has ended: the place is not shown any more, or its owner refused the alarm.
    case ended
  }
  public let id: AlarmID
  /// The id that the engine gives the alarm now. It differs from `id` if a position that arrived late moved the beginning.
  public var engineID: AlarmID
  public let account: AccountID
  public let device: DeviceID
  public var subject: Subject
  public var state: State
  /// The true time; see `Event`.
  public var began: Instant
  public var decidedAt: Instant
  public var learnedAt: Instant
  /// The distance to the effective edge, negative inside; nil for an alarm about a silent device.
  public var distance: Distance?
  public var position: Coordinate?
  public var lastRangAt: Instant
  /// 1 when it rang for the first time.
  public var rings: Int
  public var answeredAt: Instant?
  /// The person or channel that answered, as the server names them.
  public var answeredBy: String?
  /// The escalation step that the alarm has reached.
  public var escalationStep: EscalationStep
  /// True if the alarm is announced only when it repeats, because its zone has just made too many alarms.
  public var isHeldBack: Bool
  /// 1 for a new record; increased by one with every change.
  public var version: Int64

  public init(
    id: AlarmID, engineID: AlarmID? = nil, account: AccountID, device: DeviceID, subject: Subject,
    state: State = .ringing,
    began: Instant, decidedAt: Instant, learnedAt: Instant, distance: Distance? = nil,
    position: Coordinate? = nil, lastRangAt: Instant, rings: Int = 1,
    answeredAt: Instant? = nil, answeredBy: String? = nil, escalationStep: EscalationStep = .first,
    isHeldBack: Bool = false, version: Int64 = 1
  ) {
    self.id = id
    self.engineID = engineID ?? id
    self.account = account
    self.device = device
    self.subject = subject
    self.state = state
    self.began = began
    self.decidedAt = decidedAt
    self.learnedAt = learnedAt
    self.distance = distance
    self.position = position
    self.lastRangAt = lastRangAt
    self.rings = rings
    self.answeredAt = answeredAt
    self.answeredBy = answeredBy
    self.escalationStep = escalationStep
    self.isHeldBack = isHeldBack
    self.version = version
  }

  /// The reason why the alarm ended by itself; nil if it did not.
  public var clearing: Clearing? { if case .cleared(let why, _) = state { why } else { nil } }
  public var clearedAt: Instant? { if case .cleared(_, let time) = state { time } else { nil } }

  /// True if the alarm is not over yet.
  public var isOpen: Bool {
    switch state {
    case .cleared, .retracted: false
    case .ringing, .closed, .sleeping, .acknowledgedInside, .acknowledgedForToday: true
    }
  }
}
