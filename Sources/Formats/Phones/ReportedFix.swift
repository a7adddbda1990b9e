import AlarmEngine
import Geometry

/// A position as a phone reported it, with what it told beside it.
public struct ReportedFix: Hashable, Sendable {
  /// `measuredAt` is the phone's time, `receivedAt` ours; speeds are metres per second, whatever was sent. An accuracy
  /// that is absent, zero or negative is unstated: the engine takes `Settings.unstatedAccuracy`, 100 m from a phone.
  public var fix: Fix
  public var accuracyBasis: AccuracyBasis
  public var timeBasis: TimeBasis
  public var details = FixDetails()

  public enum AccuracyBasis: Hashable, Sendable {
    case stated
    /// Nothing usable was said.
    case unstated
    /// Five metres for each unit of horizontal dilution, which is an assumption: a dilution is no accuracy.
    case dilution(Double)
  }
  public enum TimeBasis: Hashable, Sendable {
    case measured
    /// The phone sent no time; it is that of arrival.
    case arrival
  }

  public init(fix: Fix, accuracyBasis: AccuracyBasis = .stated, timeBasis: TimeBasis = .measured) {
    self.fix = fix
    self.accuracyBasis = accuracyBasis
    self.timeBasis = timeBasis
  }

  /// The same for every report of the same measurement, on its own device.
  public var key: FixKey { FixKey(fix) }
}

/// What makes two reports of a device the same measurement: time, latitude, longitude, accuracy.
public struct FixKey: Hashable, Sendable {
  private let time: UInt64
  private let latitude: UInt64
  private let longitude: UInt64
  private let accuracy: UInt64

  public init(_ fix: Fix) {
    time = UInt64(bitPattern: fix.measuredAt.millisecondsSince1970)
    // The sum makes one zero of both.
    latitude = (fix.position.latitude.degrees + 0).bitPattern
    longitude = (fix.position.longitude.degrees + 0).bitPattern
    accuracy = fix.accuracy.stated.map { ($0.metres + 0).bitPattern } ?? .max
  }

  /// Thirty-two bytes, for a store: milliseconds since 1970, degrees, degrees, metres, the most significant byte first;
  /// an unstated accuracy has all bits set.
  public var bytes: [UInt8] {
    [time, latitude, longitude, accuracy].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }
}

/// What a phone told beside a position.
public struct FixDetails: Hashable, Sendable {
  /// The phone's present place, sent ahead of what waits in its queue.
  public var isCurrent = false
  /// Above sea level.
  public var altitude: Distance?
  public var verticalAccuracy: Distance?
  public var trigger: FixTrigger?
  public var satellites: Int?
  /// Names and ids of the phone's own fences it says to be in.
  public var regions: [String] = []
  public var regionIDs: [String] = []
  /// The phone's own name for this message.
  public var messageID: String?
  /// When the message was made, where that is not when the position was measured.
  public var createdAt: Instant?
  /// As the element itself names the phone, where a batch does.
  public var device: String?
  public var state = PhoneState()
  public init() {}
}

/// Why a phone reported a position.
public enum FixTrigger: Hashable, Sendable {
  case automatic, ping, circle, followCircle, beacon, response, manual, timer, visit
  case other(String)
}

/// What a phone tells of itself, with or without a position.
public struct PhoneState: Hashable, Sendable {
  /// 0 to 1.
  public var battery: Double?
  public var isCharging: Bool?
  public var connection: PhoneConnection?
  /// The words of the phone: walking, running, in_vehicle and the like.
  public var motion: [String] = []
  public var monitoring: MonitoringMode?
  /// An alarm that was raised on the phone, as `sos`.
  public var alarm: String?
  /// The position comes from a program that makes positions up.
  public var isMock: Bool?
  /// Whatever else was sent, in the order sent.
  public var attributes: [PhoneAttribute] = []
  public init() {}
}

public enum PhoneConnection: Hashable, Sendable { case wifi, mobile, offline }

/// How OwnTracks watches.
public enum MonitoringMode: Int, Hashable, Sendable {
  case quiet = -1
  case manual = 0
  case significant = 1
  case move = 2
}

/// A value that has no place of its own, as it was written; values that are lists or objects as JSON.
public struct PhoneAttribute: Hashable, Sendable {
  public var name: String
  public var value: String
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
