import AlarmEngine

/// Shop reminders (S200-S220).
public protocol ReminderStore: Sendable {
  func reminder(_ id: ReminderID, of account: AccountID) async throws(StoreError) -> StoredReminder
  /// Ascending by id.
  func reminders(of account: AccountID) async throws(StoreError) -> [StoredReminder]
  /// - Parameter revision: nil makes a new one.
  @discardableResult
  func save(
    _ reminder: Reminder, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError) -> StoredReminder
  func deleteReminder(
    _ id: ReminderID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError)

  /// With the times of its edits; of a deleted one too, as long as it is remembered.
  func reminderRecord(_ id: ReminderID, of account: AccountID) async throws(StoreError) -> ReminderRecord
  /// As `ZoneStore.merge`.
  @discardableResult
  func merge(
    _ records: [ReminderRecord], of account: AccountID, at now: Instant
  ) async throws(StoreError) -> MergedRecords<ReminderRecord>
}
