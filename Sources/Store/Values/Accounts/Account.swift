import AlarmEngine

/// A person's login.
public struct Account: Hashable, Sendable {
  public let id: AccountID
  /// The login name. Logins are unique, ignoring the case of ASCII letters.
  public var login: String
  public var name: String
  /// Encoded by argon2id (`$argon2id$...`) or another; nil: cannot sign in by password.
  public var passwordHash: String?
  public var isAdministrator: Bool
  /// True if the account is blocked: it can neither sign in nor use its tokens. Reports that need no
  /// credentials are still stored.
  public var isDisabled: Bool
  /// True if the server stores no places for this account: no positions, zones or alarms. Changed only by
  /// `SQLStore.setPrivate`.
  public internal(set) var isPrivate: Bool
  public let createdAt: Instant
  public internal(set) var revision: Revision

  public init(
    id: AccountID = .random(), login: String, name: String, passwordHash: String?,
    isAdministrator: Bool = false, isDisabled: Bool = false, isPrivate: Bool = false, createdAt: Instant,
    revision: Revision = .first
  ) {
    self.id = id
    self.login = login
    self.name = name
    self.passwordHash = passwordHash
    self.isAdministrator = isAdministrator
    self.isDisabled = isDisabled
    self.isPrivate = isPrivate
    self.createdAt = createdAt
    self.revision = revision
  }
}
