import AlarmEngine
import Geometry

/// One alarm, for ever: what rang, where, and what became of it.
public struct AlarmRecord: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// Repeats until somebody answers.
    case ringing
    /// Notification gone, repeats go on.
    case closed
    case sleeping(until: Instant)
    case acknowledgedInside
    case acknowledgedForToday(until: Instant)
    case cleared(Clearing)
    /// A fix that came late showed that it never was.
    case retracted
  }
  /// What it is about.
  public enum Subject: Hashable, Sendable {
    /// A zone, with its name as it was then.
    case zone(ZoneID, name: Text, Cause)
    /// No fix while near the zone.
    case missedSignal(ZoneID, name: Text)
    /// The device did not report in time (F8).
    case silence(since: Instant)
    /// The phone's battery is low, 0 to 1: it will soon watch no more.
    case lowBattery(level: Double)
    /// Somebody pressed the phone's SOS button.
    case distress
    /// What the phone sends is encrypted and cannot be read: no zone rings.
    case unreadable(DeviceStatus.Unread)
  }
  public let id: AlarmID
  public let account: AccountID
  public let device: DeviceID
  public var subject: Subject
  public var state: State
  /// The true time; see `Event`.
  public var began: Instant
  public var decidedAt: Instant
  public var learnedAt: Instant
  /// To the effective level, negative inside; nil for a device that is silent.
  public var distance: Distance?
  public var position: Coordinate?
  public var lastRangAt: Instant
  /// 1 when it rang for the first time.
  public var rings: Int
  public var clearedAt: Instant?
  public var answeredAt: Instant?
  /// A person or a channel, as the server names them.
  public var answeredBy: String?
  /// The step of escalation it has reached.
  public var escalationStep: Int
  /// 1 when new, one more with every change.
  public var version: Int64

  public init(
    id: AlarmID, account: AccountID, device: DeviceID, subject: Subject, state: State = .ringing,
    began: Instant, decidedAt: Instant, learnedAt: Instant, distance: Distance? = nil,
    position: Coordinate? = nil, lastRangAt: Instant, rings: Int = 1, clearedAt: Instant? = nil,
    answeredAt: Instant? = nil, answeredBy: String? = nil, escalationStep: Int = 0, version: Int64 = 1
  ) {
    self.id = id
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
    self.clearedAt = clearedAt
    self.answeredAt = answeredAt
    self.answeredBy = answeredBy
    self.escalationStep = escalationStep
    self.version = version
  }

  /// Whether anything is still to come of it.
  public var isOpen: Bool {
    switch state {
    case .cleared, .retracted: false
    case .ringing, .closed, .sleeping, .acknowledgedInside, .acknowledgedForToday: true
    }
  }
}
