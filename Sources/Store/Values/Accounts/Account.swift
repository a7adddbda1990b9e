import AlarmEngine

/// A person's login.
public struct Account: Hashable, Sendable {
  public let id: AccountID
  /// Without regard to upper and lower case of ASCII letters no two accounts have the same.
  public var login: String
  public var name: String
  /// Encoded by argon2id (`$argon2id$...`) or another; nil: cannot sign in by password.
  public var passwordHash: String?
  public var isAdministrator: Bool
  /// May neither sign in nor use its tokens, as long as it is set. What comes without credentials is still kept.
  public var isDisabled: Bool
  /// The server stores no place of it: no position, no zone, no alarm. See `SQLStore.setPrivate`, which turns it on and off.
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
