import AlarmEngine

/// A reminder as an account keeps it.
public struct StoredReminder: Hashable, Sendable {
  public let reminder: Reminder
  public let account: AccountID
  public let revision: Revision
  public let savedAt: Instant

  public init(reminder: Reminder, account: AccountID, revision: Revision, savedAt: Instant) {
    self.reminder = reminder
    self.account = account
    self.revision = revision
    self.savedAt = savedAt
  }
}
