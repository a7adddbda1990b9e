import AlarmEngine

/// Mail addresses, and whether those who read them agreed.
public protocol MailAddressStore: Sendable {
  /// Ascending by address.
  func mailAddresses(of account: AccountID) async throws(StoreError) -> [MailRecord]
  /// Nil for an address that the account has nothing to do with.
  func mailAddress(_ address: String, of account: AccountID) async throws(StoreError) -> MailRecord?
  /// Keeps a link by which the address can be confirmed, in place of an earlier one. What was confirmed stays so.
  func askToConfirm(
    _ address: String, of account: AccountID, by link: TokenHash, until: Instant
  ) async throws(StoreError)
  /// - Throws: `.notFound`, also when the link has expired.
  func confirmation(_ link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord
  /// Uses up the link.
  /// - Throws: `.notFound`, also when the link has expired.
  func confirm(by link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord
  /// Makes an address the account's own, in place of another one; nil: it has none.
  func setOwnMailAddress(_ address: String?, of account: AccountID, at now: Instant) async throws(StoreError)
}
