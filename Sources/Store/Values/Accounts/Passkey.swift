import AlarmEngine

/// A key pair of which an account has the public half, to sign in without a password (WebAuthn).
public struct Passkey: Hashable, Sendable {
  public let id: PasskeyID
  public let account: AccountID
  /// As the authenticator names it.
  public let credential: [UInt8]
  /// As COSE writes it (RFC 9052).
  public let publicKey: [UInt8]
  /// The host that it is for.
  public let relyingParty: String
  /// How often the authenticator says that it has signed; 0 for ever where it does not count.
  public internal(set) var signCount: UInt32
  public let name: String
  public let createdAt: Instant
  public internal(set) var lastUsedAt: Instant?

  /// Of one account.
  public static let most = 20

  public init(
    id: PasskeyID = .random(), account: AccountID, credential: [UInt8], publicKey: [UInt8],
    relyingParty: String, signCount: UInt32, name: String, createdAt: Instant, lastUsedAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.credential = credential
    self.publicKey = publicKey
    self.relyingParty = relyingParty
    self.signCount = signCount
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }
}

/// Names a passkey; it is not what the authenticator calls it.
public struct PasskeyID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
