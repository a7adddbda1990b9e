import AlarmEngine

/// The path of fixes.
public protocol IngestStore: Sendable {
  /// Writes a batch; on return it is on the disk.
  ///
  /// What concerns devices or channels that are gone is left out. Recording the same batch again does no harm to
  /// fixes, alarms and snapshots; commands, events and outbox rows would be there twice.
  /// - Throws: `.conflict` when a device's engine has another version than `batch.versions` says; `.stale` when an alarm's
  ///   stored version is later than the batch's. Nothing is written then.
  @discardableResult
  func record(_ batch: IngestBatch) async throws(StoreError) -> IngestReceipt

  /// What to make devices' engines from, all of one moment. Devices that are gone are not in it.
  /// - Parameter time: fixes and commands later than this, where there is no snapshot.
  func deviceStates(
    _ devices: [DeviceID], since time: Instant
  ) async throws(StoreError) -> [DeviceID: DeviceState]

  /// History in the order of time, the first `limit` in the range.
  func fixes(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [StoredFix]
  func commands(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [DeviceCommand]
  /// In the order of their own time.
  func events(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [DeviceEvent]
  /// The latest first; nil asks for those of no device.
  func rawBodies(of device: DeviceID?, limit: Int) async throws(StoreError) -> [RawBody]
}

extension IngestStore {
  public func deviceState(
    _ device: DeviceID, since time: Instant
  ) async throws(StoreError) -> DeviceState {
    guard let state = try await deviceStates([device], since: time)[device] else { throw .notFound }
    return state
  }
}
