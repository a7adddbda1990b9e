import AlarmEngine
import Geometry

/// A position as a phone reported it, with its details.
public struct ReportedFix: Hashable, Sendable {
  /// `measuredAt` is the phone's time, `receivedAt` ours; speeds are metres per second, whatever was sent. An accuracy
  /// that is absent, zero or negative is unstated: the engine takes `Settings.unstatedAccuracy`, 100 m from a phone.
  public var fix: Fix
  public var accuracyBasis: AccuracyBasis
  public var timeBasis: TimeBasis
  public var details = FixDetails()

  public enum AccuracyBasis: Hashable, Sendable {
    case stated
    /// No usable accuracy was sent.
    case unstated
    /// Estimated as 5 m per unit of horizontal dilution; an assumption, since dilution is not accuracy.
    case dilution(Double)
  }
  public enum TimeBasis: Hashable, Sendable {
    case measured
    /// The phone sent no time; the time of arrival is used.
    case arrival
  }

  public init(fix: Fix, accuracyBasis: AccuracyBasis = .stated, timeBasis: TimeBasis = .measured) {
    self.fix = fix
    self.accuracyBasis = accuracyBasis
    self.timeBasis = timeBasis
  }

  /// Equal for all reports of one measurement; unique within a device only.
  public var key: FixKey { FixKey(fix) }
}

/// The identity of a measurement within a device: time, latitude, longitude, accuracy.
public struct FixKey: Hashable, Sendable {
  private let time: UInt64
  private let latitude: UInt64
  private let longitude: UInt64
  private let accuracy: UInt64

  public init(_ fix: Fix) {
    time = UInt64(bitPattern: fix.measuredAt.millisecondsSince1970)
    // Adding 0 turns -0.0 into 0.0.
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

/// The details that a phone sent with a position.
public struct FixDetails: Hashable, Sendable {
  /// True if this is the phone's present position, sent ahead of its queue.
  public var isCurrent = false
  /// Above sea level.
  public var altitude: Distance?
  public var verticalAccuracy: Distance?
  public var trigger: FixTrigger?
  public var satellites: Int?
  /// Names of the phone's own fences that it reports to be in; `regionIDs` has their ids.
  public var regions: [String] = []
  public var regionIDs: [String] = []
  /// The phone's own name for this message.
  public var messageID: String?
  /// The time when the message was made, if it is not the time of measurement.
  public var createdAt: Instant?
  /// The device named by the element itself, in a batch that names one per element.
  public var device: String?
  public var state = PhoneState()
  public init() {}
}

/// Why a phone reported a position.
public enum FixTrigger: Hashable, Sendable {
  case automatic, ping, circle, followCircle, beacon, response, manual, timer, visit
  case other(String)
}

/// The state of a phone, reported with or without a position.
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
  /// True if the position is simulated by a mock location program.
  public var isMock: Bool?
  /// The remaining values, in the order sent.
  public var attributes: [PhoneAttribute] = []
  public init() {}
}

public enum PhoneConnection: Hashable, Sendable { case wifi, mobile, offline }

/// The monitoring mode of OwnTracks.
public enum MonitoringMode: Int, Hashable, Sendable {
  case quiet = -1
  case manual = 0
  case significant = 1
  case move = 2
}

/// A value without a field of its own, as it was written; lists and objects as JSON.
public struct PhoneAttribute: Hashable, Sendable {
  public var name: String
  public var value: String
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
