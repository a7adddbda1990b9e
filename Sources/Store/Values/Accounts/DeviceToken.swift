import AlarmEngine

/// What a token lets in, each more than the one before it does not: reading and reporting are apart.
public enum TokenScope: Int64, Sendable, CaseIterable {
  /// Reports of phones.
  case report = 1
  /// Whatever changes nothing.
  case read
  /// All of it.
  case write
}

/// Lets a device report, or a program use the API, until it is revoked.
public struct DeviceToken: Hashable, Sendable {
  public let id: DeviceTokenID
  public let account: AccountID
  /// Nil: for all devices of the account.
  public let device: DeviceID?
  public let hash: TokenHash
  /// Of one device: `report`.
  public let scope: TokenScope
  /// For the list of tokens.
  public let name: String
  public let createdAt: Instant
  public let expiresAt: Instant?
  public internal(set) var lastUsedAt: Instant?

  public init(
    id: DeviceTokenID = .random(), account: AccountID, device: DeviceID?, hash: TokenHash, name: String,
    scope: TokenScope = .write, createdAt: Instant, expiresAt: Instant? = nil
  ) {
    self.id = id
    self.account = account
    self.device = device
    self.hash = hash
    self.scope = device == nil ? scope : .report
    self.name = name
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
