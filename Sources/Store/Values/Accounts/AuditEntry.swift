import AlarmEngine

/// Something that was done in an account, by whom and from where.
public struct AuditEntry: Hashable, Sendable {
  /// Those of later times are greater.
  public let id: AuditEntryID
  public let account: AccountID
  public let at: Instant
  /// Which operation, as the API's description names it: "createToken"; those of the command line as well.
  public let action: String
  /// What it was done to: its name, or its id where it has none.
  public let subject: String
  /// A try that was refused: a wrong password.
  public let isRefused: Bool
  public let actor: Actor
  /// Of the network; "local" where there is none.
  public let address: String

  /// By what right.
  public enum Actor: Hashable, Sendable {
    /// A browser, as it names itself.
    case session(userAgent: String)
    /// A program, by the name of its token.
    case token(name: String)
    /// Who runs the server.
    case commandLine
    /// Whoever tried.
    case stranger(userAgent: String)
    /// Somebody else, in their own account: from where is their business.
    case person(login: String)

    /// As the API and the command line tell it.
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

  /// Longer texts are cut.
  public static let longestText = 200
  /// Of an account; the oldest go first.
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

/// Names an entry of the audit log: its time, so that entries are in the order of their ids, and 20 random bits.
public struct AuditEntryID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  static func at(_ time: Instant) -> Self {
    let milliseconds = UInt64(clamping: time.millisecondsSince1970) & (1 << 43 - 1)
    return Self(rawValue: milliseconds << 20 | .random(in: 0..<1 << 20))
  }
}
