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
  /// The spans between the last reports, the latest last.
  public let silences: [TimeSpan]
  /// Which places of reminders the phone is near, as `ReminderList.snapshot` writes it; empty without reminders.
  public let reminders: [UInt8]

  public init(
    device: DeviceID, through: Instant, zoneSet: Revision, bytes: [UInt8], silences: [TimeSpan] = [],
    reminders: [UInt8] = []
  ) {
    self.device = device
    self.through = through
    self.zoneSet = zoneSet
    self.bytes = bytes
    self.silences = silences
    self.reminders = reminders
  }
}
