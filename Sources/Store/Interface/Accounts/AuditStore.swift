import AlarmEngine

/// The audit log: what was done in accounts that decides who sees what, and who may sign in.
public protocol AuditStore: Sendable {
  /// - Throws: `.notFound` for the account.
  func note(_ entry: AuditEntry) async throws(StoreError)
  /// The latest first.
  /// - Parameter before: only those before this one.
  func auditLog(
    of account: AccountID, before: AuditEntryID?, limit: Int
  ) async throws(StoreError) -> [AuditEntry]
}
