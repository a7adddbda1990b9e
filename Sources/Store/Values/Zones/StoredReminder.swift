import AlarmEngine

/// A reminder as an account keeps it.
public struct StoredReminder: Hashable, Sendable {
  /// Where `fault` is not nil: what can be read of it, with the values of a new reminder for what cannot.
  public let reminder: Reminder
  /// Why the reminder cannot be announced, where what is stored of it cannot be used.
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
