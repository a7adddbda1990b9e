import AlarmEngine

/// A link that makes one account, once: printed at the first start, or sent by an administrator.
public struct SetupLink: Hashable, Sendable {
  public let hash: TokenHash
  /// Of the account it makes.
  public let isAdministrator: Bool
  /// Printed by a start without any account. It ends with the first account, however that was made.
  public let isPrinted: Bool
  public let createdAt: Instant
  public let expiresAt: Instant

  public init(
    hash: TokenHash, isAdministrator: Bool, isPrinted: Bool = false, createdAt: Instant, expiresAt: Instant
  ) {
    self.hash = hash
    self.isAdministrator = isAdministrator
    self.isPrinted = isPrinted
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
