import AlarmEngine

/// All that one group commit of the ingest writes; it is there wholly or not at all.
public struct IngestBatch: Sendable {
  public var fixes: [DeviceFixes] = []
  /// What phones told of themselves, as it is now.
  public var statuses: [DeviceID: DeviceStatus] = [:]
  public var rawBodies: [RawBody] = []
  public var snapshots: [DeviceSnapshot] = []
  public var commands: [DeviceCommand] = []
  /// New or changed; for each the change feed gets an entry.
  public var alarms: [AlarmRecord] = []
  public var events: [DeviceEvent] = []
  public var outbox: [OutboxItem] = []
  /// What zones show on entry, each with its own rows for the outbox.
  public var notices: [NoticeShowing] = []
  /// What waits in the outbox about these is dropped, before `outbox` is added. What is on its way stays leased, so that
  /// what takes it back comes after it.
  public var withdrawn: [AlarmID] = []
  public var dues: [DeviceDue] = []
  /// Other things for the change feed than alarms.
  public var changes: [NewChange] = []
  /// Our clock; the time of the change entries.
  public var at: Instant

  public init(at: Instant) { self.at = at }
}
