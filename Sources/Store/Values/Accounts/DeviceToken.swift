import AlarmEngine

/// Lets a device report, or a program use the API, until it is revoked.
public struct DeviceToken: Hashable, Sendable {
  public let id: DeviceTokenID
  public let account: AccountID
  /// Nil: for all devices of the account.
  public let device: DeviceID?
  public let hash: TokenHash
  /// For the list of tokens.
  public let name: String
  public let createdAt: Instant
  public let expiresAt: Instant?
  public internal(set) var lastUsedAt: Instant?

  public init(
    id: DeviceTokenID = .random(), account: AccountID, device: DeviceID?, hash: TokenHash, name: String,
    createdAt: Instant, expiresAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.device = device
    self.hash = hash
    self.name = name
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
