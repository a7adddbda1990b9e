/// The operator's mail server, to which all mails are sent.
///
/// The operator sets it up, so any host is allowed. Passwords are only sent encrypted.
public struct MailServer: Hashable, Sendable, CustomStringConvertible {
  public enum Security: String, CaseIterable, Hashable, Sendable {
    /// TLS from the first byte (port 465).
    case implicit
    /// Starts in clear text and must upgrade to TLS before anything else (port 587).
    case starttls
    /// Never encrypted; for a mail server on this machine. Takes no password.
    case none
  }

  public let host: String
  public let port: Int
  public let security: Security
  /// The user name; empty for no authentication.
  public let user: String
  public let password: Secret
  /// The address in "From", which also receives bounces.
  public let sender: MailAddress

  /// Reads the settings:
  ///
  ///     {"host":"mail.example.org","port":587,"security":"starttls","user":"...","password":"...",
  ///      "sender":"alarm@example.org"}
  public init(json: [UInt8]) throws(ConfigurationError) {
    let fields = try ConfigurationFields(json: json, policy: TargetPolicy(allowsPrivateNetworks: true))
    host = try fields.requiredText("host", limit: 253)
    guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x2f }) else {
      throw ConfigurationError(field: "host", given: host.excerpt(40), allowed: "a host name or an address")
    }
    security = try fields.choice("security", default: .starttls)
    let standard: Int64 =
      switch security {
      case .implicit: 465
      case .starttls: 587
      case .none: 25
      }
    port = Int(try fields.whole("port", in: 1...65_535, default: standard))
    user = try fields.text("user", limit: 255) ?? ""
    password = Secret(try fields.text("password", limit: 255) ?? "")
    let text = try fields.requiredText("sender", limit: 254)
    do { sender = try MailAddress(text) } catch {
      throw ConfigurationError(field: "sender", given: text.excerpt(80), allowed: error.allowed)
    }
    try fields.refuseUnknown()
    guard user.isEmpty == password.isEmpty else {
      throw ConfigurationError(
        field: "password", given: "only one of user and password", allowed: "both or none")
    }
    guard security != .none || user.isEmpty else {
      throw ConfigurationError(
        field: "security", given: "none with a password", allowed: "starttls or implicit")
    }
  }

  public var description: String { "\(host):\(port)" }
}
