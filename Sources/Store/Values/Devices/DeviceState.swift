import AlarmEngine

/// The stored state from which a device's engine is loaded.
public struct DeviceState: Equatable, Sendable {
  public let device: Device
  public let snapshot: DeviceSnapshot?
  /// Counts the changes of the device's engine, for `IngestBatch.versions`.
  public let version: Int64
  /// The revision of the account's present zones; nil for an unclaimed device.
  public internal(set) var zoneSet: Revision?
  /// When the device has to be processed; nil if nothing is due.
  public let due: Instant?
  /// The inputs later than the snapshot, in the order of time.
  public internal(set) var fixes: [StoredFix]
  public internal(set) var commands: [DeviceCommand]
  /// Ascending by id.
  public internal(set) var openAlarms: [AlarmRecord]
  /// All reminders of the device's account, ascending by id.
  public internal(set) var reminders: [StoredReminder] = []
  /// The check-in whose alarm the device has.
  public internal(set) var checkIn: CheckIn?
  /// The zones at which the phone is to be by a time, ascending by id.
  public internal(set) var expectedArrivals: [ExpectedArrival] = []
  /// True if companion alarms are set on the device, and whether others watch it.
  public let hasCompanions: Bool
  public let isCompanion: Bool

  public init(
    device: Device, version: Int64 = 0, snapshot: DeviceSnapshot?, zoneSet: Revision?, due: Instant? = nil,
    fixes: [StoredFix],
    commands: [DeviceCommand], openAlarms: [AlarmRecord] = [], hasCompanions: Bool = false,
    isCompanion: Bool = false
  ) {
    self.device = device
    self.version = version
    self.snapshot = snapshot
    self.zoneSet = zoneSet
    self.due = due
    self.fixes = fixes
    self.commands = commands
    self.openAlarms = openAlarms
    self.hasCompanions = hasCompanions
    self.isCompanion = isCompanion
  }
}
