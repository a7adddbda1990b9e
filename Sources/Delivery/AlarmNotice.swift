import AlarmEngine
import Geometry
import Store

/// The contents of a message about one alarm to one channel. It holds everything that a message needs, so
/// that nothing has to be looked up.
///
/// A value, made when the alarm is recorded. It can be delivered any number of times with the same contents.
public struct AlarmNotice: Hashable, Sendable {
  public typealias Kind = NoticeKind

  /// The information that a zone shows on entry.
  public struct Content: Hashable, Sendable {
    public let title: String
    public let text: String
    /// A link to further information, and a picture; empty if there is none. Any text that a person typed.
    public let link: String
    public let image: String
    public init(title: String, text: String, link: String = "", image: String = "") {
      self.title = title
      self.text = text
      self.link = link
      self.image = image
    }

    /// Nil if the image is no https URL.
    var imageURL: String? { image.hasPrefix("https://") ? image : nil }
  }

  /// The zone that rings, or the other device of a companion alarm.
  public struct Place: Hashable, Sendable {
    public let id: ZoneID
    public let name: String
    public init(id: ZoneID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The phone that the alarm is about.
  public struct Device: Hashable, Sendable {
    public let id: DeviceID
    public let name: String
    public init(id: DeviceID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The phone's position. Left out of the notice if a person withholds it.
  public struct Position: Hashable, Sendable {
    public let coordinate: Coordinate
    /// The radius of the circle that holds the phone, 68 times in 100; nil if it is unknown.
    public let accuracy: Distance?
    public init(coordinate: Coordinate, accuracy: Distance? = nil) {
      self.coordinate = coordinate
      self.accuracy = accuracy
    }
  }

  /// Absolute URLs. Those that act are signed (`LinkSigner`), act on POST, and show a button on GET.
  public struct Links: Hashable, Sendable {
    public var open: String?
    public var close: String?
    public var sleep: String?
    public var acknowledge: String?
    public var forToday: String?
    /// Complete a reminder, and put it off for an hour or as long as its page lets people choose.
    public var done: String?
    public var snooze: String?
    public init(
      open: String? = nil, close: String? = nil, sleep: String? = nil, acknowledge: String? = nil,
      forToday: String? = nil, done: String? = nil, snooze: String? = nil
    ) {
      self.open = open
      self.close = close
      self.sleep = sleep
      self.acknowledge = acknowledge
      self.forToday = forToday
      self.done = done
      self.snooze = snooze
    }

    /// The three answers to an alarm or the two to a reminder as buttons, with the labels and the order used by
    /// all channels, pages and apps.
    package var buttons: [Button] {
      [
        ("acknowledge", "Stop", acknowledge), ("sleep", "Sleep", sleep), ("close", "Close", close),
        ("done", "Done", done), ("snooze", "Snooze", snooze),
      ].compactMap { name, label, url in url.map { Button(name: name, label: label, url: $0) } }
    }
  }

  /// One answer to an alarm or a reminder: its name in the API, its label, and its link.
  package struct Button: Hashable, Sendable {
    package let name: String
    package let label: String
    package let url: String
  }

  /// The subject of the notice, with the details that such a notice has.
  public enum Message: Hashable, Sendable {
    case ring(Place, Cause)
    case `repeat`(Place, Cause)
    case cleared(Cleared)
    case missedSignal(Place)
    case deviceSilent
    /// A level from 0 to 1.
    case batteryLow(level: Double)
    case distress
    case checkInMissed
    case checkInOver
    case checkInSoon
    /// By which time of day the device was to be there, such as "08:00".
    case notArrived(Place, by: String)
    /// The time of day at which the device arrived; empty if it was there in time.
    case arrived(Place, at: String)
    case deviceUnreadable(DeviceStatus.Unread)
    case companionNear(Place)
    case companionApart(Place)
    case companionLost(Place)
    case companionEnded(Place)
    /// Without a place, the notice is about no zone.
    case notice(Content, of: Place?)
    case perhaps(Place)
    case reminder(Content)
    /// A daily test has a text.
    case test(Content?)

    public var kind: Kind {
      switch self {
      case .ring: .ring
      case .repeat: .repeat
      case .cleared: .cleared
      case .missedSignal: .missedSignal
      case .deviceSilent: .deviceSilent
      case .batteryLow: .batteryLow
      case .distress: .distress
      case .checkInMissed: .checkInMissed
      case .checkInOver: .checkInOver
      case .checkInSoon: .checkInSoon
      case .notArrived: .notArrived
      case .arrived: .arrived
      case .deviceUnreadable: .deviceUnreadable
      case .companionNear: .companionNear
      case .companionApart: .companionApart
      case .companionLost: .companionLost
      case .companionEnded: .companionEnded
      case .notice: .notice
      case .perhaps: .perhaps
      case .reminder: .reminder
      case .test: .test
      }
    }
  }

  /// The alarm that is over.
  public enum Cleared: Hashable, Sendable {
    /// Without a cause, an alarm about a lost signal or about two devices.
    case place(Place, Cause?)
    case batteryLow(level: Double)
    case deviceUnreadable(DeviceStatus.Unread)
    /// A silent device, SOS, or a missed check-in.
    case device
  }

  /// For a notice of a zone, an id of its own, the same for the same zone and device; for a reminder, its id.
  public let alarm: AlarmID
  /// The number of the notice within its alarm: 0 is the first ring, each later one is higher.
  public let sequence: UInt32
  public let message: Message
  public let device: Device
  /// The time of the event.
  public let time: Instant
  /// The earliest time at which the server could know of it.
  public let learnedAt: Instant
  /// The signed distance to the zone's effective level, negative inside. Nil if the position is withheld or
  /// unknown.
  public let distance: Distance?
  public let position: Position?
  /// The texts that a person has set for the zone, in their order.
  public let messages: [String]
  /// The exact name of the sound, without extension; nil is the default sound.
  public let sound: String?
  /// The zone's priority. Higher is more urgent.
  public let priority: Int32
  public package(set) var links: Links
  /// The zone as a PAD file for mail to attach (S125); nil attaches nothing.
  public package(set) var pad: [UInt8]?

  public init(
    alarm: AlarmID, sequence: UInt32, _ message: Message, device: Device, time: Instant, learnedAt: Instant,
    distance: Distance? = nil, position: Position? = nil, messages: [String] = [], sound: String? = nil,
    priority: Int32 = 0, links: Links = Links(), pad: [UInt8]? = nil
  ) {
    self.alarm = alarm
    self.sequence = sequence
    self.message = message
    self.device = device
    self.time = time
    self.learnedAt = learnedAt
    self.distance = distance
    self.position = position
    self.messages = messages
    self.sound = sound
    self.priority = priority
    self.links = links
    self.pad = pad
  }

  public var kind: Kind { message.kind }
  /// Nil for a notice about the device itself and for a test.
  public var zone: Place? {
    switch message {
    case .ring(let place, _), .repeat(let place, _), .cleared(.place(let place, _)),
      .missedSignal(let place), .companionNear(let place), .companionApart(let place),
      .companionLost(let place), .companionEnded(let place), .perhaps(let place),
      .notArrived(let place, _), .arrived(let place, _):
      place
    case .notice(_, let place): place
    case .cleared, .deviceSilent, .batteryLow, .distress, .checkInMissed, .checkInOver, .checkInSoon,
      .deviceUnreadable, .reminder, .test:
      nil
    }
  }
  public var cause: Cause? {
    switch message {
    case .ring(_, let cause), .repeat(_, let cause): cause
    case .cleared(.place(_, let cause)): cause
    default: nil
    }
  }
  /// The information to show. Only a notice, a reminder and a daily test have it.
  public var content: Content? {
    switch message {
    case .notice(let content, _), .reminder(let content): content
    case .test(let content): content
    default: nil
    }
  }
  /// A time of day by the clocks of the zone: by when the device was to arrive, or when it did.
  public var localTime: String? {
    switch message {
    case .notArrived(_, let time), .arrived(_, let time): time.isEmpty ? nil : time
    default: nil
    }
  }
  /// The battery level of the phone, 0 to 1, if the notice is about it.
  public var battery: Double? {
    switch message {
    case .batteryLow(let level), .cleared(.batteryLow(let level)): level
    default: nil
    }
  }
  /// The reason why the phone's messages cannot be read, if the notice is about that.
  public var unread: DeviceStatus.Unread? {
    switch message {
    case .deviceUnreadable(let why), .cleared(.deviceUnreadable(let why)): why
    default: nil
    }
  }

  /// The alarm's id. Notices with the same key replace each other on channels that support it (S194).
  public var collapseKey: String {
    kind == .reminder ? Self.collapseKey(of: ReminderID(rawValue: alarm.rawValue)) : alarm.description
  }
  /// The same as in the page, so that a browser which is told by both shows one notification.
  package static func collapseKey(of reminder: ReminderID) -> String { "reminder-\(reminder)" }
  /// A key that is the same for every attempt to deliver this notice, and for no other notice: "1f…-0".
  public var idempotencyKey: String { "\(alarm)-\(sequence)" }
  /// True if a person has to act now. Notices of an end and tests are not urgent.
  public var isUrgent: Bool {
    switch kind {
    case .ring, .repeat, .missedSignal, .deviceSilent, .batteryLow, .distress, .checkInMissed,
      .notArrived, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      true
    case .cleared, .checkInOver, .checkInSoon, .arrived, .notice, .perhaps, .reminder, .test: false
    }
  }
  /// True if the notice makes a sound and carries its buttons: an alarm, or a reminder.
  package var isHeard: Bool {
    isUrgent || [.reminder, .checkInSoon, .checkInOver, .arrived].contains(kind)
  }
}

/// The end of an alarm that needs no more attention. Channels that can withdraw its notices do so (S194).
public struct AlarmWithdrawal: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case acknowledged, closed, slept, cleared
  }
  public let alarm: AlarmID
  /// The sequence number of the last notice that was delivered.
  public let sequence: UInt32
  public let reason: Reason
  /// True if `alarm` is the id of a reminder.
  public let isOfReminder: Bool
  public init(alarm: AlarmID, sequence: UInt32, reason: Reason, isOfReminder: Bool = false) {
    self.alarm = alarm
    self.sequence = sequence
    self.reason = reason
    self.isOfReminder = isOfReminder
  }

  public var collapseKey: String {
    isOfReminder
      ? AlarmNotice.collapseKey(of: ReminderID(rawValue: alarm.rawValue)) : alarm.description
  }
  public var idempotencyKey: String { "\(alarm)-\(sequence)-\(reason.rawValue)" }
}
