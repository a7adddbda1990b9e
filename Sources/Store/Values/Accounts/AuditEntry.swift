import AlarmEngine

/// An operation done in an account, with its actor and origin.
public struct AuditEntry: Hashable, Sendable {
  /// The id; a later entry has a greater one.
  public let id: AuditEntryID
  public let account: AccountID
  public let at: Instant
  /// The operation, by its name in the API description ("createToken"). Command-line operations have names of
  /// their own.
  public let action: String
  /// The name of the object that was changed, or its id if it has no name.
  public let subject: String
  /// True if the attempt was refused, for example because of a wrong password.
  public let isRefused: Bool
  public let actor: Actor
  /// The network address; "local" if there is none.
  public let address: String

  /// The authority under which the operation was done.
  public enum Actor: Hashable, Sendable {
    /// A browser, by its user agent.
    case session(userAgent: String)
    /// A program, by the name of its token.
    case token(name: String)
    /// The operator of the server.
    case commandLine
    /// The author of a refused attempt to sign in.
    case stranger(userAgent: String)
    /// Another person, signed in to their own account. Their address is not recorded.
    case person(login: String)

    /// The actor as the API and the command line write it.
    public var words: (kind: String, name: String) {
      switch self {
      case .session(let agent): ("session", agent)
      case .token(let name): ("token", name)
      case .commandLine: ("command_line", "")
      case .stranger(let agent): ("stranger", agent)
      case .person(let login): ("person", login)
      }
    }
  }

  /// The longest text, in characters; longer texts are cut.
  public static let longestText = 200
  /// The most entries of one account; the oldest are deleted first.
  public static let most = 10_000

  public init(
    account: AccountID, at: Instant, action: String, subject: String = "", isRefused: Bool = false,
    actor: Actor,
    address: String = "local"
  ) {
    self.init(
      id: .at(at), account: account, at: at, action: action, subject: subject, isRefused: isRefused,
      actor: actor, address: address)
  }

  init(
    id: AuditEntryID, account: AccountID, at: Instant, action: String, subject: String, isRefused: Bool,
    actor: Actor, address: String
  ) {
    self.id = id
    self.account = account
    self.at = at
    self.action = String(action.prefix(Self.longestText))
    self.subject = String(subject.prefix(Self.longestText))
    self.isRefused = isRefused
    self.actor = actor
    self.address = String(address.prefix(Self.longestText))
  }
}

/// The id of an audit entry: its time followed by 20 random bits, so that ids sort by time.
public struct AuditEntryID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  static func at(_ time: Instant) -> Self {
    let milliseconds = UInt64(clamping: time.millisecondsSince1970) & (1 << 43 - 1)
    return Self(rawValue: milliseconds << 20 | .random(in: 0..<1 << 20))
  }
}
