import AlarmEngine

/// The public key (X25519) of one browser or app of an account. The secret key never leaves that device.
public struct SealedKey: Hashable, Sendable {
  public let id: SealedKeyID
  public let account: AccountID
  /// 32 bytes.
  public let publicKey: [UInt8]
  /// The name shown in the owner's list.
  public let name: String
  public let createdAt: Instant
  /// When the owner last fetched messages for this key.
  public internal(set) var fetchedAt: Instant

  public init(
    id: SealedKeyID = .random(), account: AccountID, publicKey: [UInt8], name: String, createdAt: Instant
  ) {
    self.id = id
    self.account = account
    self.publicKey = publicKey
    self.name = name
    self.createdAt = createdAt
    fetchedAt = createdAt
  }

  public static let bytes = 32
  /// The most keys of one account.
  public static let most = 20
}

/// An agreement of two people to exchange sealed messages, or one person's request to another, by login.
public struct SealedContact: Hashable, Sendable {
  public let id: SealedContactID
  /// The person who asked.
  public let owner: AccountID
  public let ownerLogin: String
  public let ownerName: String
  /// The login of the person asked, as the owner wrote it. After that person has agreed, their present login.
  public let login: String
  public let viewerName: String
  /// The person who agreed.
  public let viewer: AccountID?
  public let createdAt: Instant

  /// The most contacts that one account has asked for.
  public static let most = 100
  /// The time after which a request that was not agreed to expires.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// A message that only the holder of a secret key can read.
public struct SealedMessage: Hashable, Sendable {
  public let id: SealedMessageID
  /// The receiver's key.
  public let key: SealedKeyID
  public let sender: AccountID
  public let bytes: [UInt8]
  public let createdAt: Instant

  public init(
    id: SealedMessageID = .random(), key: SealedKeyID, sender: AccountID, bytes: [UInt8], createdAt: Instant
  ) {
    self.id = id
    self.key = key
    self.sender = sender
    self.bytes = bytes
    self.createdAt = createdAt
  }

  public static let mostBytes = 4096
  /// The most messages waiting for one key.
  public static let most = 500
  /// The time after which a message that nobody fetched is deleted.
  public static let lasts = TimeSpan.hours(7 * 24)
}
