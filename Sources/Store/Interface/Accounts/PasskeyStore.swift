import AlarmEngine

/// Public keys that somebody signs in with.
public protocol PasskeyStore: Sendable {
  /// - Throws: `.taken` when some account has this credential; `.tooMany`; `.notFound` for the account.
  func add(_ passkey: Passkey) async throws(StoreError)
  /// By the name that the authenticator has for it.
  /// - Throws: `.notFound`.
  func passkey(credential: [UInt8]) async throws(StoreError) -> Passkey
  /// In the order in which they were made.
  func passkeys(of account: AccountID) async throws(StoreError) -> [Passkey]
  /// - Throws: `.notFound`.
  func rename(_ passkey: PasskeyID, to name: String, of account: AccountID) async throws(StoreError)
  /// Stores that it was used to sign in.
  /// - Parameter count: as the authenticator says it.
  /// - Throws: `.taken` unless the count is greater than the one before, or both are 0; `.notFound`.
  func use(_ passkey: PasskeyID, count: UInt32, at now: Instant) async throws(StoreError)
  /// - Throws: `.notFound`.
  func remove(_ passkey: PasskeyID, of account: AccountID) async throws(StoreError)
  /// Removes all of an account.
  /// - Throws: `.notFound` where there is none.
  func removePasskeys(of account: AccountID) async throws(StoreError)
}
