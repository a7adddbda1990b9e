import AlarmEngine

/// The age limits beyond which data is deleted. A nil limit keeps the data for ever.
public struct Retention: Hashable, Sendable {
  /// Limits the deletion to one account. If nil, data of all accounts is deleted, and data that belongs to
  /// none: raw bodies, expired sessions, tokens and links, unclaimed devices.
  public var account: AccountID?
  /// Deletes fixes measured before, with the commands, events and past zones of that time.
  public var fixesBefore: Instant?
  /// Deletes alarms that ended before, with their delivery attempts.
  public var alarmsBefore: Instant?
  /// Deletes raw bodies received before.
  public var rawBodiesBefore: Instant?
  /// Deletes unclaimed devices that have been silent since.
  public var unclaimedBefore: Instant?
  /// Deletes records of deletions made before. A phone that was offline for longer has to read everything
  /// anew.
  public var deletionsBefore: Instant?
  /// Deletes sessions, tokens and links that expired before.
  public var expiredBefore: Instant?
  /// Deletes network addresses from which nobody has signed in since.
  public var signInsBefore: Instant?
  /// Deletes rate-limit buckets that were full again before.
  public var triesBefore: Instant?
  /// Deletes audit entries from before.
  public var auditBefore: Instant?
  /// The number of audit entries kept for each account, the latest.
  public var auditEntries = AuditEntry.most

  public init(account: AccountID? = nil) { self.account = account }
}
