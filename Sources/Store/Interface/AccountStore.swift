import AlarmEngine

/// Accounts, and the links that make them.
public protocol AccountStore: Sendable {
  /// - Throws: `.taken` when the login or the id is.
  func create(_ account: Account) async throws(StoreError)
  /// Uses up the link.
  /// - Throws: `.notFound` when there is no such link or it has expired at `account.createdAt`; `.taken`.
  func create(_ account: Account, by link: TokenHash) async throws(StoreError)
  func save(_ link: SetupLink) async throws(StoreError)
  /// - Throws: `.notFound`, also when it has expired.
  func setupLink(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> SetupLink

  func account(_ id: AccountID) async throws(StoreError) -> Account
  /// Without regard to upper and lower case of ASCII letters.
  func account(login: String) async throws(StoreError) -> Account
  /// Ascending by id.
  func accounts(after id: AccountID?, limit: Int) async throws(StoreError) -> [Account]
  func accountCount() async throws(StoreError) -> Int

  /// Saves login, name, role, disabling and password hash.
  /// - Throws: `.stale`, `.taken`, `.notFound`.
  @discardableResult
  func save(_ account: Account, over revision: Revision, at now: Instant) async throws(StoreError) -> Account
  /// Ends all sessions but one with it.
  func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, at now: Instant
  ) async throws(StoreError)
}
