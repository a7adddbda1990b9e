import AlarmEngine
import Geometry
import Store

/// What is told of one alarm to one channel: everything a message can be made of, and nothing that has to be looked up.
///
/// A value, made where the alarm is recorded; it can be delivered any number of times and always says the same.
public struct AlarmNotice: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Rings: for the first time, or anew after sleep.
    case ring
    /// Rings again after the Alarm Cycle Time.
    case `repeat`
    case cleared
    /// No fix came while the phone was inside the danger margin of a zone.
    case missedSignal = "missed_signal"
    /// A device that must report every so many minutes did not (F8).
    case deviceSilent = "device_silent"
    /// A phone's battery is low: it will soon watch no more.
    case batteryLow = "battery_low"
    /// Somebody pressed the SOS button.
    case distress = "sos"
    /// A phone's messages are encrypted and cannot be read.
    case deviceUnreadable = "device_unreadable"
    /// The phone and another person's are within the distance that was set, or are farther apart now.
    case companionNear = "companion_near"
    case companionApart = "companion_apart"
    /// One of the two has not been heard of for long, so nothing would ring.
    case companionLost = "companion_lost"
    /// Nobody is told any more: the other's place is not shown, or its owner refused.
    case companionEnded = "companion_ended"
    /// Something to look at on entering a zone (S187-S192); nobody has to act.
    case notice
    /// The phone is perhaps inside a zone; said without sound, and nobody has to act.
    case perhaps
    /// Sent from the settings, to see that a channel works.
    case test

    /// Whether it only shows something: it is no alarm, and takes no answer.
    package var onlyShows: Bool { self == .notice || self == .perhaps }
  }

  /// What a zone shows on entry.
  public struct Content: Hashable, Sendable {
    public let title: String
    public let text: String
    /// Where more is to be seen, and a picture; empty where there is none. Anything a person has typed.
    public let link: String
    public let image: String
    public init(title: String, text: String, link: String = "", image: String = "") {
      self.title = title
      self.text = text
      self.link = link
      self.image = image
    }

    /// Nil where the image is no https URL.
    var imageURL: String? { image.hasPrefix("https://") ? image : nil }
  }

  /// The zone that rings.
  public struct Place: Hashable, Sendable {
    public let id: ZoneID
    public let name: String
    /// The zone as a PAD file, to be attached to mail (S125); nil attaches nothing.
    public let pad: [UInt8]?
    public init(id: ZoneID, name: String, pad: [UInt8]? = nil) {
      self.id = id
      self.name = name
      self.pad = pad
    }
  }

  /// The phone the alarm is about.
  public struct Device: Hashable, Sendable {
    public let id: DeviceID
    public let name: String
    public init(id: DeviceID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The phone's place. Where a person withholds it, there is none.
  public struct Position: Hashable, Sendable {
    public let coordinate: Coordinate
    /// Radius of the circle that holds the phone, 68 times in 100; nil is unknown.
    public let accuracy: Distance?
    public init(coordinate: Coordinate, accuracy: Distance? = nil) {
      self.coordinate = coordinate
      self.accuracy = accuracy
    }
  }

  /// Absolute URLs; those that act are signed (`LinkSigner`), answer POST, and show a button on GET.
  public struct Links: Hashable, Sendable {
    public var open: String?
    public var close: String?
    public var sleep: String?
    public var acknowledge: String?
    public var forToday: String?
    public init(
      open: String? = nil, close: String? = nil, sleep: String? = nil, acknowledge: String? = nil,
      forToday: String? = nil
    ) {
      self.open = open
      self.close = close
      self.sleep = sleep
      self.acknowledge = acknowledge
      self.forToday = forToday
    }

    /// The three answers of an alarm as buttons, in the words and the order of all channels, pages and apps.
    package var buttons: [Button] {
      [
        ("acknowledge", "Stop", acknowledge), ("sleep", "Sleep", sleep), ("close", "Close", close),
      ].compactMap { name, label, url in url.map { Button(name: name, label: label, url: $0) } }
    }
  }

  /// One answer to an alarm: its name in the API, the word that people read, and the link that gives the answer.
  package struct Button: Hashable, Sendable {
    package let name: String
    package let label: String
    package let url: String
  }

  public let alarm: AlarmID
  /// Counts the notices of one alarm: 0 is the first ring, each later one is higher.
  public let sequence: UInt32
  public let kind: Kind
  /// Who is met, where two devices are the matter. Nil for a notice about the device itself and for a test. Of a notice, `alarm` is an id of its own, the same for the same zone and device.
  public let zone: Place?
  public let device: Device
  public let cause: Cause?
  /// When it happened.
  public let time: Instant
  /// When we could first know.
  public let learnedAt: Instant
  /// Signed, to the zone's effective level; negative inside. Nil where the position is withheld or unknown.
  public let distance: Distance?
  public let position: Position?
  /// Texts a person has set for the zone, in their order.
  public let messages: [String]
  /// Exact name of the sound, without extension; nil is the default sound.
  public let sound: String?
  /// The zone's: higher is more urgent.
  public let priority: Int32
  public let links: Links
  /// Of a notice and a daily test, and of nothing else.
  public let content: Content?
  /// Of the phone, 0 to 1, where the notice is about it.
  public let battery: Double?
  /// Why the phone's messages cannot be read, where the notice is about that.
  public let unread: DeviceStatus.Unread?

  public init(
    alarm: AlarmID, sequence: UInt32, kind: Kind, zone: Place?, device: Device, cause: Cause? = nil,
    time: Instant, learnedAt: Instant, distance: Distance? = nil, position: Position? = nil,
    messages: [String] = [], sound: String? = nil, priority: Int32 = 0, links: Links = Links(),
    content: Content? = nil, battery: Double? = nil, unread: DeviceStatus.Unread? = nil
  ) {
    self.alarm = alarm
    self.sequence = sequence
    self.kind = kind
    self.zone = zone
    self.device = device
    self.cause = cause
    self.time = time
    self.learnedAt = learnedAt
    self.distance = distance
    self.position = position
    self.messages = messages
    self.sound = sound
    self.priority = priority
    self.links = links
    self.content = content
    self.battery = battery
    self.unread = unread
  }

  /// Notices with the same key replace each other wherever a channel can do so (S194): the alarm's id.
  public var collapseKey: String { alarm.description }
  /// The same for every attempt to deliver this notice, and for no other: "1f…-0".
  public var idempotencyKey: String { "\(alarm)-\(sequence)" }
  /// Whether somebody has to act now; what only ends or tries something is not urgent.
  public var isUrgent: Bool {
    switch kind {
    case .ring, .repeat, .missedSignal, .deviceSilent, .batteryLow, .distress, .deviceUnreadable,
      .companionNear, .companionApart, .companionLost, .companionEnded:
      true
    case .cleared, .notice, .perhaps, .test: false
    }
  }
}

/// That an alarm needs nobody any more: taken back from every channel that can (S194).
public struct AlarmWithdrawal: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case acknowledged, closed, slept, cleared
  }
  public let alarm: AlarmID
  /// That of the last notice that was delivered.
  public let sequence: UInt32
  public let reason: Reason
  public init(alarm: AlarmID, sequence: UInt32, reason: Reason) {
    self.alarm = alarm
    self.sequence = sequence
    self.reason = reason
  }

  public var collapseKey: String { alarm.description }
  public var idempotencyKey: String { "\(alarm)-\(sequence)-\(reason.rawValue)" }
}
