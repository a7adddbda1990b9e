import AlarmEngine

/// The fixes that arrived together from one device. For an unclaimed device only the last fix is kept.
public struct DeviceFixes: Hashable, Sendable {
  public let device: DeviceID
  /// In any order. A fix that is stored already (same time, position and accuracy) changes nothing.
  public var fixes: [StoredFix]
  /// True if the report counts as a sign of life.
  public var isHeard: Bool

  public init(device: DeviceID, fixes: [StoredFix], isHeard: Bool = true) {
    self.device = device
    self.fixes = fixes
    self.isHeard = isHeard
  }
}
