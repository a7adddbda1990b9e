import AlarmEngine

/// Who signs in by an OpenID Connect provider, and challenges that are good once.
public protocol LoginIdentityStore: Sendable {
  /// Lets somebody sign in to the account.
  /// - Throws: `.taken` where they sign in to an account already, be it this one; `.tooMany`; `.notFound` for the account.
  func bind(_ identity: LoginIdentity) async throws(StoreError)
  /// Makes an account that somebody signs in to.
  /// - Throws: `.taken` when the login is, or where they sign in to an account already.
  func create(_ account: Account, with identity: LoginIdentity) async throws(StoreError)
  /// - Throws: `.notFound`.
  func loginIdentity(issuer: String, subject: String) async throws(StoreError) -> LoginIdentity
  /// In the order in which they were bound.
  func loginIdentities(of account: AccountID) async throws(StoreError) -> [LoginIdentity]
  /// Stores that they have signed in.
  func touch(_ identity: LoginIdentityID, at now: Instant) async throws(StoreError)
  /// They no longer sign in to the account.
  func unbind(_ identity: LoginIdentityID, of account: AccountID) async throws(StoreError)

  /// Uses up a challenge, for all processes of the database.
  /// - Parameter end: until then it is remembered; nobody may take the challenge for good later than that.
  /// - Throws: `.taken` when it is used up already.
  func useUp(_ challenge: TokenHash, until end: Instant, at now: Instant) async throws(StoreError)
}
