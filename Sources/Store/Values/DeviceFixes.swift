import AlarmEngine

/// What came from one device together.
public struct DeviceFixes: Hashable, Sendable {
  public let device: DeviceID
  /// In any order. One that is there already (same time, position and accuracy) changes nothing.
  public var fixes: [StoredFix]

  public init(device: DeviceID, fixes: [StoredFix]) {
    self.device = device
    self.fixes = fixes
  }
}
