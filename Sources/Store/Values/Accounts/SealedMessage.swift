import AlarmEngine

/// The public key of one browser or app of an account (X25519). The secret one never leaves it.
public struct SealedKey: Hashable, Sendable {
  public let id: SealedKeyID
  public let account: AccountID
  /// 32 bytes.
  public let publicKey: [UInt8]
  /// For the owner's list.
  public let name: String
  public let createdAt: Instant
  /// When its owner last asked for messages to it.
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
  /// Of one account.
  public static let most = 20
}

/// Two people who agreed to exchange sealed messages, or one who asks another, by login.
public struct SealedContact: Hashable, Sendable {
  public let id: SealedContactID
  /// The person who asked.
  public let owner: AccountID
  public let ownerLogin: String
  public let ownerName: String
  /// Who is asked, as the owner wrote it; of a person who agreed, the login of today.
  public let login: String
  public let viewerName: String
  /// The person who agreed.
  public let viewer: AccountID?
  public let createdAt: Instant

  /// Of one account, asked by it.
  public static let most = 100
  /// What was not agreed to by then is void.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// Bytes that only the holder of a secret key can read.
public struct SealedMessage: Hashable, Sendable {
  public let id: SealedMessageID
  /// The receiver's.
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
  /// Waiting for one key.
  public static let most = 500
  /// What nobody fetched by then is dropped.
  public static let lasts = TimeSpan.hours(7 * 24)
}
