import AlarmEngine

/// The public key of a WebAuthn key pair with which an account signs in without a password.
public struct Passkey: Hashable, Sendable {
  public let id: PasskeyID
  public let account: AccountID
  /// The credential id, chosen by the authenticator.
  public let credential: [UInt8]
  /// The public key in COSE form (RFC 9052).
  public let publicKey: [UInt8]
  /// The host name that the passkey is for.
  public let relyingParty: String
  /// The authenticator's signature counter; always 0 if the authenticator does not count.
  public internal(set) var signCount: UInt32
  public let name: String
  public let createdAt: Instant
  public internal(set) var lastUsedAt: Instant?

  /// The most passkeys of one account.
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

/// The id of a passkey. It is not the authenticator's credential id.
public struct PasskeyID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
