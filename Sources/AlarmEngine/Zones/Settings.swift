import Geometry

/// The settings of a device, with the defaults of the product.
public struct Settings: Hashable, Sendable {
  /// The time between two rings of one alarm (S36, S159).
  public var alarmCycleTime = TimeSpan.seconds(10)
  /// The sleep time of zones that state none (S39, S160).
  public var defaultSleepTime = TimeSpan.seconds(10)
  /// The size of zones that state none (S77, S161).
  public var defaultRadius = Distance.metres(50)
  /// The speed up to which the guarantee holds.
  public var maximumSpeed = Speed.metresPerSecond(45)
  /// The accuracy assumed if the source states none: zero in a replay, 100 m from a phone.
  public var unstatedAccuracy = Distance.zero

  /// An alarm that nobody answers stops repeating after this long.
  public var repeatHorizon = TimeSpan.hours(24)
  /// A position older than this no longer counts as the phone's (for edits, activation and opening windows).
  public var positionHorizon = TimeSpan.hours(24)
  /// The distance from a zone within which losing the signal is an event of its own (S113's Standard
  /// Threshold).
  public var dangerMargin = Distance.metres(50)
  /// Without a fix for this long, the signal is lost.
  public var signalTimeout = TimeSpan.seconds(120)
  /// A fix that is further ahead of the receiver's clock is refused.
  public var clockAllowance = TimeSpan.minutes(10)

  public init() {}
  /// Settings for fixes that phones send.
  public static var phone: Self {
    var settings = Self()
    settings.unstatedAccuracy = .metres(100)
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
