import AlarmEngine

/// The access that a token grants. `write` includes the other two; `read` does not include `report`.
public enum TokenScope: Int64, Sendable, CaseIterable {
  /// Reports of phones.
  case report = 1
  /// Operations that change nothing.
  case read
  /// Reading and writing.
  case write
}

/// A token with which a device reports, or a program uses the API, until it is revoked.
public struct DeviceToken: Hashable, Sendable {
  public let id: DeviceTokenID
  public let account: AccountID
  /// The device that the token is limited to; nil for all devices of the account.
  public let device: DeviceID?
  public let hash: TokenHash
  /// The access; always `report` if the token is for one device.
  public let scope: TokenScope
  /// The name shown in the list of tokens.
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
