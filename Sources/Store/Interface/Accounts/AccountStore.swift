import AlarmEngine

/// Accounts, and the links that make them.
public protocol AccountStore: Sendable {
  /// Makes an account. Ends the set-up links that the server printed.
  /// - Throws: `.taken` when the login or the id is.
  func create(_ account: Account) async throws(StoreError)
  /// Uses up the link.
  /// - Throws: `.notFound` when there is no such link or it has expired at `account.createdAt`; `.taken`.
  func create(_ account: Account, by link: TokenHash) async throws(StoreError)
  /// Keeps a set-up link. Those that processes print without an account are good beside each other until one is used.
  /// - Throws: `.taken` for a printed one where there is an account.
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
  /// Ends all sessions but one with it, and every link for a new password.
  /// - Parameter revokingTokens: also those that are for no single device.
  func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, revokingTokens: Bool, at now: Instant
  ) async throws(StoreError)

  /// In place of an earlier one of the same account.
  func save(_ reset: PasswordReset) async throws(StoreError)
  /// - Throws: `.notFound`, also when it has expired or the account is disabled.
  func passwordReset(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> PasswordReset
  /// Uses up the link, and ends all sessions.
  /// - Throws: `.notFound`, also when it has expired or the account is disabled.
  func setPassword(
    hash: String, by reset: TokenHash, revokingTokens: Bool, at now: Instant
  ) async throws(StoreError) -> AccountID

  /// Remembers from where somebody signed in; of each account the latest 50.
  func noteSignIn(of account: AccountID, from address: TokenHash, at now: Instant) async throws(StoreError)
  func hasSignedIn(_ account: AccountID, from address: TokenHash) async throws(StoreError) -> Bool
}

extension AccountStore {
  /// Ends all sessions but one with it; tokens stay.
  public func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, at now: Instant
  ) async throws(StoreError) {
    try await setPassword(hash: hash, of: account, keeping: session, revokingTokens: false, at: now)
  }
}
