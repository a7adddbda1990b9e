import Geometry

/// What a person can set for a device, with the defaults of the product.
public struct Settings: Hashable, Sendable {
  /// Between two rings of one alarm (S36, S159).
  public var alarmCycleTime = TimeSpan.seconds(10)
  /// Where a zone states none (S39, S160).
  public var defaultSleepTime = TimeSpan.seconds(10)
  /// Where a zone states no size (S77, S161).
  public var defaultRadius = Distance.metres(50)
  /// The speed up to which the guarantee holds.
  public var maximumSpeed = Speed.metresPerSecond(45)
  /// Stands in for an accuracy that the source does not state: zero in a replay, 100 m from a phone.
  public var unstatedAccuracy = Distance.zero

  /// An alarm that nobody answers stops repeating after this long.
  public var repeatHorizon = TimeSpan.hours(24)
  /// A position older than this is no longer where the phone is (for edits, activation and opening windows).
  public var positionHorizon = TimeSpan.hours(24)
  /// So near a zone, losing the signal is an event of its own (S113's Standard Threshold).
  public var dangerMargin = Distance.metres(50)
  /// Without a fix for this long, the signal is lost.
  public var signalTimeout = TimeSpan.seconds(120)
  /// A fix from further ahead of the clock that received it is refused.
  public var clockAllowance = TimeSpan.minutes(10)

  public init() {}
  /// For fixes that phones send.
  public static var phone: Self {
    var settings = Self()
    settings.unstatedAccuracy = .metres(100)
    return settings
  }
}

/// Settings that take one word of each device: those of most are one of the two defaults, which are kept once.
final class HeldSettings: Sendable {
  let settings: Settings

  private static let standard = HeldSettings(Settings())
  private static let phone = HeldSettings(.phone)

  private init(_ settings: Settings) { self.settings = settings }

  static func of(_ settings: Settings) -> HeldSettings {
    [phone, standard].first { $0.settings == settings } ?? HeldSettings(settings)
  }
}
