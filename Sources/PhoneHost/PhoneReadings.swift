import AlarmEngine

/// The source of positions, as far as the platform names it.
public enum PositionSource: UInt8, Hashable, Sendable, CaseIterable {
  case satellites
  /// Wi-Fi or cells.
  case network
  /// A mixture that the platform chooses.
  case mixed
}

/// The charge of the phone's battery as the phone states it.
public struct BatteryLevel: Hashable, Sendable {
  /// 0 (empty) to 1 (full).
  public let share: Double
  public let isCharging: Bool

  /// Nil for a share outside 0 to 1, by which platforms say that they do not know it.
  public init?(share: Double, isCharging: Bool) {
    guard share >= 0, share <= 1 else { return nil }
    self.share = share
    self.isCharging = isCharging
  }
}
