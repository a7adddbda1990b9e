import AlarmEngine

/// Everything that one group commit of the ingest writes, in one transaction.
public struct IngestBatch: Sendable {
  public var fixes: [DeviceFixes] = []
  /// The latest status of phones.
  public var statuses: [DeviceID: DeviceStatus] = [:]
  public var rawBodies: [RawBody] = []
  public var snapshots: [DeviceSnapshot] = []
  public var commands: [DeviceCommand] = []
  /// New or changed alarms. Each gets an entry in the change feed.
  public var alarms: [AlarmRecord] = []
  public var events: [DeviceEvent] = []
  public var outbox: [OutboxItem] = []
  /// Notices of zones to show, each with its own outbox items.
  public var notices: [NoticeShowing] = []
  /// Reminders that people are told of, each with its own outbox items.
  public var reminded: [ReminderTelling] = []
  /// Completed reminders whose places a phone has left, and which become active again.
  public var restarted: [ReminderRestart] = []
  /// Check-ins that people were reminded of, or whose time is over.
  public var checkIns: [CheckInStep] = []
  /// Expected arrivals whose time was judged.
  public var expectedArrivals: [ExpectedArrivalStep] = []
  /// Alarms whose pending deliveries are dropped before `outbox` is added. Leased items stay, so that a
  /// withdrawal is delivered after them.
  public var withdrawn: [AlarmID] = []
  public var dues: [DeviceDue] = []
  /// Companion alarms that were judged.
  public var companions: [CompanionUpdate] = []
  /// Devices with new positions on which companion alarms rest. Their watchers become due.
  public var companionsMoved: Set<DeviceID> = []
  /// Entries for the change feed about other things than alarms.
  public var changes: [NewChange] = []
  /// The version of each device's engine that the batch was decided from. The batch is written only if all of them are
  /// still the stored ones; each is then counted up by one.
  public var versions: [DeviceID: Int64] = [:]
  /// The time by the server's clock, for the change entries.
  public var at: Instant

  public init(at: Instant) { self.at = at }
}
