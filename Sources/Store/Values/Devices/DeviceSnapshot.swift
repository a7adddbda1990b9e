import AlarmEngine

/// A device's engine, as bytes.
public struct DeviceSnapshot: Hashable, Sendable {
  public let device: DeviceID
  /// The latest input that is in it. Whoever records an earlier fix or command afterwards records a new snapshot
  /// with it: what is read back are the inputs later than this.
  public let through: Instant
  /// Of the zones that are in it.
  public let zoneSet: Revision
  public let bytes: [UInt8]

  public init(device: DeviceID, through: Instant, zoneSet: Revision, bytes: [UInt8]) {
    self.device = device
    self.through = through
    self.zoneSet = zoneSet
    self.bytes = bytes
  }
}
