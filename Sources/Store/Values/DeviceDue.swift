import AlarmEngine

/// When a device has to be looked at again if nothing comes from it.
public struct DeviceDue: Hashable, Sendable {
  public let device: DeviceID
  /// Nil: not at all.
  public let at: Instant?

  public init(device: DeviceID, at: Instant?) {
    self.device = device
    self.at = at
  }
}
