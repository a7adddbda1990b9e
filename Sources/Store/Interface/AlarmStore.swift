import AlarmEngine

/// Alarms and what became of them. They are written by `IngestStore.record`.
public protocol AlarmStore: Sendable {
  func alarm(_ id: AlarmID, of account: AccountID) async throws(StoreError) -> AlarmRecord
  /// Whoever's it is: for signed links and the delivery.
  func alarm(_ id: AlarmID) async throws(StoreError) -> AlarmRecord
  /// The latest to begin first, ties by descending id.
  /// - Parameters:
  ///   - device: nil: all of the account.
  ///   - alarm: begins after this one in that order.
  func alarms(
    of account: AccountID, device: DeviceID?, before alarm: AlarmID?, limit: Int
  ) async throws(StoreError) -> [AlarmRecord]
  /// Of all accounts, ascending by id: for the timers, at the start.
  func openAlarms(after id: AlarmID?, limit: Int) async throws(StoreError) -> [AlarmRecord]
  /// Those of them that are there.
  func alarms(_ ids: [AlarmID]) async throws(StoreError) -> [AlarmRecord]

  /// In the order of their ends. Also those of channels that are gone.
  func attempts(of alarm: AlarmID, account: AccountID) async throws(StoreError) -> [DeliveryAttempt]
  /// Adds one that did not come from the outbox: seen, or withdrawn by the receiver.
  func record(_ attempt: DeliveryAttempt) async throws(StoreError)
}
