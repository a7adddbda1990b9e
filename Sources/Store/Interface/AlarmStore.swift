import AlarmEngine

/// Alarms and their delivery attempts. They are written by `IngestStore.record`.
public protocol AlarmStore: Sendable {
  func alarm(_ id: AlarmID, of account: AccountID) async throws(StoreError) -> AlarmRecord
  /// The alarm of any account, for signed links and the delivery.
  func alarm(_ id: AlarmID) async throws(StoreError) -> AlarmRecord
  /// The latest to begin first, ties by descending id.
  /// - Parameters:
  ///   - device: nil for all devices of the account.
  ///   - alarm: the page begins after this alarm in that order.
  func alarms(
    of account: AccountID, device: DeviceID?, before alarm: AlarmID?, limit: Int
  ) async throws(StoreError) -> [AlarmRecord]
  /// The open alarms of all accounts, ascending by id, for the timers at the start.
  func openAlarms(after id: AlarmID?, limit: Int) async throws(StoreError) -> [AlarmRecord]
  /// The alarms with these ids that exist.
  func alarms(_ ids: [AlarmID]) async throws(StoreError) -> [AlarmRecord]

  /// The delivery attempts of an alarm, in the order in which they ended, including those of deleted
  /// channels.
  func attempts(of alarm: AlarmID, account: AccountID) async throws(StoreError) -> [DeliveryAttempt]
  /// Adds an attempt that did not come from the outbox: seen, or withdrawn by the receiver.
  func record(_ attempt: DeliveryAttempt) async throws(StoreError)
}
