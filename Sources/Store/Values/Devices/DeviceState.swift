import AlarmEngine

/// What a device's engine is made from again.
public struct DeviceState: Equatable, Sendable {
  public let device: Device
  public let snapshot: DeviceSnapshot?
  /// Of the account's zones as they are now; nil for an unclaimed device.
  public let zoneSet: Revision?
  /// When it has to be looked at; nil: not at all.
  public let due: Instant?
  /// Later than the snapshot, in the order of time.
  public let fixes: [StoredFix]
  public let commands: [DeviceCommand]
  /// Ascending by id.
  public let openAlarms: [AlarmRecord]

  public init(
    device: Device, snapshot: DeviceSnapshot?, zoneSet: Revision?, due: Instant? = nil, fixes: [StoredFix],
    commands: [DeviceCommand], openAlarms: [AlarmRecord] = []
  ) {
    self.device = device
    self.snapshot = snapshot
    self.zoneSet = zoneSet
    self.due = due
    self.fixes = fixes
    self.commands = commands
    self.openAlarms = openAlarms
  }
}
