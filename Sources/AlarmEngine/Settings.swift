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

  public init() {}
  /// For fixes that phones send.
  public static var phone: Self {
    var settings = Self()
    settings.unstatedAccuracy = .metres(100)
    return settings
  }
}
