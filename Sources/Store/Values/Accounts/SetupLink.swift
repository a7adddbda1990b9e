import AlarmEngine

/// A link that creates one account, once. It is printed at the first start, or sent by an administrator.
public struct SetupLink: Hashable, Sendable {
  public let hash: TokenHash
  /// True if the new account will be an administrator's.
  public let isAdministrator: Bool
  /// True if it was printed at a start without any account. Such a link ends when the first account is made,
  /// by whatever means.
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
