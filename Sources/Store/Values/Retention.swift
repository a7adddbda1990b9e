import AlarmEngine

/// Which data is old enough to be deleted; nil keeps it for ever.
public struct Retention: Hashable, Sendable {
  /// Limits the deletion to one account. If nil, data of all accounts is deleted, and data that belongs to
  /// none: raw bodies, expired sessions, tokens and links, unclaimed devices.
  public var account: AccountID?
  /// Measured before. With them go the commands, the events and the former zones of that time.
  public var fixesBefore: Instant?
  /// Ended before; with their attempts.
  public var alarmsBefore: Instant?
  /// Received before.
  public var rawBodiesBefore: Instant?
  /// Unclaimed and silent since.
  public var unclaimedBefore: Instant?
  /// Deleted before: a phone that was away for longer has to read everything anew.
  public var deletionsBefore: Instant?
  /// Sessions, tokens and links that expired before.
  public var expiredBefore: Instant?
  /// Addresses of the network that nobody has signed in from since.
  public var signInsBefore: Instant?
  /// Counts of tries that all had come back before.
  public var triesBefore: Instant?
  /// Entries of audit logs from before.
  public var auditBefore: Instant?
  /// Of an account's audit log so many are kept, the latest.
  public var auditEntries = AuditEntry.most

  public init(account: AccountID? = nil) { self.account = account }
}
