import AlarmEngine

/// Mail addresses, and whether their readers have confirmed them.
public protocol MailAddressStore: Sendable {
  /// Ascending by address.
  func mailAddresses(of account: AccountID) async throws(StoreError) -> [MailRecord]
  /// The address with its state; nil if the account does not use it.
  func mailAddress(_ address: String, of account: AccountID) async throws(StoreError) -> MailRecord?
  /// Keeps a link by which an address can be confirmed, in place of an earlier one. A confirmed address stays
  /// confirmed.
  func askToConfirm(
    _ address: String, of account: AccountID, by link: TokenHash, until: Instant
  ) async throws(StoreError)
  /// - Throws: `.notFound`, also when the link has expired.
  func confirmation(_ link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord
  /// Uses up the link.
  /// - Throws: `.notFound`, also when the link has expired.
  func confirm(by link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord
  /// Sets the account's own address; nil removes it.
  func setOwnMailAddress(_ address: String?, of account: AccountID, at now: Instant) async throws(StoreError)
}
