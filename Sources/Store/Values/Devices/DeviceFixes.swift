import AlarmEngine

/// What came from one device together. Of a device that belongs to nobody only the last one is kept.
public struct DeviceFixes: Hashable, Sendable {
  public let device: DeviceID
  /// In any order. One that is there already (same time, position and accuracy) changes nothing.
  public var fixes: [StoredFix]
  /// Whether the device was heard of.
  public var isHeard: Bool

  public init(device: DeviceID, fixes: [StoredFix], isHeard: Bool = true) {
    self.device = device
    self.fixes = fixes
    self.isHeard = isHeard
  }
}
