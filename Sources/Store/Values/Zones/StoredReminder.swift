import AlarmEngine

/// A reminder as an account keeps it.
public struct StoredReminder: Hashable, Sendable {
  /// The reminder. If `fault` is not nil, fields that cannot be read have the values of a new reminder.
  public let reminder: Reminder
  /// Why the stored reminder cannot be used and is not announced; nil if it can.
  public let fault: FieldError?
  public let account: AccountID
  public let revision: Revision
  public let savedAt: Instant

  public init(
    reminder: Reminder, account: AccountID, revision: Revision, savedAt: Instant, fault: FieldError? = nil
  ) {
    self.reminder = reminder
    self.fault = fault
    self.account = account
    self.revision = revision
    self.savedAt = savedAt
  }
}
