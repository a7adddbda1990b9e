import AlarmEngine

/// A person at an OpenID Connect provider who may sign in to an account.
public struct LoginIdentity: Hashable, Sendable {
  public let id: LoginIdentityID
  public let account: AccountID
  /// The provider's issuer URL, exactly as the provider writes it.
  public let issuer: String
  /// The provider's identifier for the person. An issuer never gives the same one to two persons.
  public let subject: String
  /// The person's name at the provider, shown in the list. It proves nothing.
  public let name: String
  public let boundAt: Instant
  public internal(set) var lastUsedAt: Instant?

  /// The most identities of one account.
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

/// The id of a login identity.
public struct LoginIdentityID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
