import Geometry

/// The settings of a device, with the defaults of the product. All are within their ranges
/// (``RangedField/allowed``).
public struct Settings: Hashable, Sendable {
  /// The time between two rings of one alarm (S36, S159).
  public private(set) var alarmCycleTime = TimeSpan.seconds(10)
  /// The sleep time of zones that state none (S39, S160).
  public private(set) var defaultSleepTime = TimeSpan.seconds(10)
  /// The size of zones that state none (S77, S161).
  public private(set) var defaultRadius = Distance.metres(50)
  /// The speed up to which the guarantee holds.
  public private(set) var maximumSpeed = Speed.metresPerSecond(45)
  /// The accuracy assumed if the source states none: zero in a replay, 100 m from a phone.
  public private(set) var unstatedAccuracy = Distance.zero

  /// An alarm that nobody answers stops repeating after this long.
  public private(set) var repeatHorizon = TimeSpan.hours(24)
  /// A position older than this no longer counts as the phone's (for edits, activation and opening windows).
  public var positionHorizon: TimeSpan { .hours(24) }
  /// The distance from a zone within which losing the signal is an event of its own (S113's Standard
  /// Threshold).
  public private(set) var dangerMargin = Distance.metres(50)
  /// Without a fix for this long, the signal is lost.
  public private(set) var signalTimeout = TimeSpan.seconds(120)
  /// A fix that is further ahead of the receiver's clock is refused.
  public var clockAllowance: TimeSpan { .minutes(10) }

  public init() {}
  /// Settings for fixes that phones send.
  public static var phone: Self {
    var settings = Self()
    settings.unstatedAccuracy = .metres(100)
    return settings
  }

  /// Sets a setting. A field that is no setting of a device changes nothing.
  /// - Parameter number: in the field's unit.
  /// - Throws: if the number is not allowed for the field.
  public mutating func set(_ field: RangedField, to number: Double) throws(NumberOutOfRange) {
    guard field.allowed.contains(number) else { throw NumberOutOfRange(field, given: number) }
    switch field {
    case .alarmCycle: alarmCycleTime = .seconds(number)
    case .defaultSleep: defaultSleepTime = .seconds(number)
    case .defaultRadius: defaultRadius = .metres(number)
    case .maximumSpeed: maximumSpeed = .metresPerSecond(number)
    case .unstatedAccuracy: unstatedAccuracy = .metres(number)
    case .dangerMargin: dangerMargin = .metres(number)
    case .signalTimeout: signalTimeout = .seconds(number)
    case .repeatHorizon: repeatHorizon = .seconds(number)
    default: break  // No setting: `RangedField.value(in:)` names each field, and a test compares the two.
    }
  }

  /// The highest speed that a replay may assume, above that of a satellite.
  public static let fastestReplay = Speed.metresPerSecond(12_000)

  /// Settings for a replay, whose track may be that of an aircraft and whose zones may be smaller or larger
  /// than those of a phone.
  /// - Throws: if the speed is zero or above ``fastestReplay``, or the radius is not in ``Zone/allowedSize``.
  public static func replay(
    maximumSpeed: Speed, defaultRadius: Distance
  ) throws(NumberOutOfRange) -> Self {
    guard maximumSpeed > .zero, maximumSpeed <= fastestReplay else {
      throw NumberOutOfRange(.maximumSpeed, given: maximumSpeed.metresPerSecond)
    }
    guard Zone.allowedSize.contains(defaultRadius) else {
      throw NumberOutOfRange(.defaultRadius, given: defaultRadius.metres)
    }
    var settings = Self()
    settings.maximumSpeed = maximumSpeed
    settings.defaultRadius = defaultRadius
    return settings
  }
}

/// Settings that take one word per device: most devices have one of the two defaults, which are stored once.
final class HeldSettings: Sendable {
  let settings: Settings

  private static let standard = HeldSettings(Settings())
  private static let phone = HeldSettings(.phone)

  private init(_ settings: Settings) { self.settings = settings }

  static func of(_ settings: Settings) -> HeldSettings {
    [phone, standard].first { $0.settings == settings } ?? HeldSettings(settings)
  }
}
