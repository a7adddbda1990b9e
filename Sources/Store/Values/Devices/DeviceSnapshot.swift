import AlarmEngine

/// A device's engine, as bytes.
public struct DeviceSnapshot: Hashable, Sendable {
  public let device: DeviceID
  /// The time of the latest input in the snapshot. Loading reads only later inputs, so a new snapshot has to
  /// be recorded together with any earlier fix or command.
  public let through: Instant
  /// The revision of the zones in the snapshot.
  public let zoneSet: Revision
  public let bytes: [UInt8]

  public init(device: DeviceID, through: Instant, zoneSet: Revision, bytes: [UInt8]) {
    self.device = device
    self.through = through
    self.zoneSet = zoneSet
    self.bytes = bytes
  }
}
