import AlarmEngine

/// Somebody at an OpenID Connect provider, who may sign in to an account.
public struct LoginIdentity: Hashable, Sendable {
  public let id: LoginIdentityID
  public let account: AccountID
  /// The provider's address, as it writes it.
  public let issuer: String
  /// Whom the provider means; of one issuer no two persons have the same, at any time.
  public let subject: String
  /// What the provider calls them, for the list; it proves nothing.
  public let name: String
  public let boundAt: Instant
  public internal(set) var lastUsedAt: Instant?

  /// Of one account.
  public static let most = 10

  public init(
    id: LoginIdentityID = .random(), account: AccountID, issuer: String, subject: String, name: String,
    boundAt: Instant, lastUsedAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.issuer = issuer
    self.subject = subject
    self.name = name
    self.boundAt = boundAt
    self.lastUsedAt = lastUsedAt
  }
}

/// Names a person at a provider who may sign in to an account.
public struct LoginIdentityID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
