import CPostgreSQL

/// The address of a database and the user to connect as: a validated `postgres://` or `postgresql://` URL.
///
/// The URL's parameters are libpq's (`sslmode=verify-full`, `sslrootcert=…`,
/// `target_session_attrs=read-write`, several hosts). Defaults: connecting fails after 5 seconds; a silent
/// connection is found dead after about 25 seconds, an unacknowledged write after 10; and the server ends a
/// transaction that has been idle for 60 seconds.
public struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible {
  /// The reason why a URL is invalid: one sentence that never contains a password.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// libpq's parameters, by keyword.
  let parameters: [String: String]

  public init(_ url: String) throws(Problem) {
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
      throw Problem(
        description: "The address of a PostgreSQL database begins with postgres:// or postgresql://.")
    }
    guard !url.utf8.contains(0) else { throw Problem(description: "The address contains a zero byte.") }
    var parameters = try Self.parse(url)
    try Self.checkHosts(parameters["host"] ?? "")
    try Self.checkHosts(parameters["hostaddr"] ?? "")
    try Self.checkPorts(parameters["port"] ?? "")
    if parameters["dbname"]?.contains(where: { "@/".contains($0) }) == true {
      throw Problem(description: "The database name in the address contains @ or /. \(Self.encodingHint)")
    }
    for (keyword, value) in Self.defaults where parameters[keyword] == nil { parameters[keyword] = value }
    // The URL's options come last, so that they override ours.
    parameters["options"] =
      "-c idle_in_transaction_session_timeout=60s" + (parameters["options"].map { " " + $0 } ?? "")
    parameters["client_encoding"] = "UTF8"
    self.parameters = parameters
  }

  private static let defaults = [
    "connect_timeout": "5", "keepalives": "1", "keepalives_idle": "10", "keepalives_interval": "5",
    "keepalives_count": "3", "tcp_user_timeout": "10000", "application_name": "proximity",
  ]

  private static let encodingHint =
    "A password with one of : / ? # [ ] @ or % is written with percent signs: %40 for @, %2F for /."

  /// Parses the URL. libpq's own messages may quote a password, so only their kind is used.
  private static func parse(_ url: String) throws(Problem) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(url, &message) else {
      let text = message.map { String(cString: $0) } ?? ""
      PQfreemem(message)
      throw Problem(description: words(forParsing: text))
    }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return parameters
  }

  private static func words(forParsing message: String) -> String {
    if message.contains("percent-encoded") || message.contains("%00") {
      return "The address has a percent sign that begins no percent-encoded character. \(encodingHint)"
    }
    if message.contains("IPv6") {
      return "The address has an IPv6 host that is not closed by a bracket, or is empty."
    }
    if message.contains("query parameter") || message.contains("separator") {
      return
        "The address has a parameter after its question mark that PostgreSQL does not know, or that has no value."
    }
    return "The address is not one that PostgreSQL understands. \(encodingHint)"
  }

  private static func checkHosts(_ hosts: String) throws(Problem) {
    for character in hosts.unicodeScalars {
      switch character {
      case "A"..."Z", "a"..."z", "0"..."9", ".", "-", "_", ":", "%", "/", ",", "~", "+": continue
      default:
        guard character.value < 128 else { continue }
        throw Problem(
          description: "The address has a host with a character that no host name contains. \(encodingHint)")
      }
    }
  }

  private static func checkPorts(_ ports: String) throws(Problem) {
    for port in ports.split(separator: ",", omittingEmptySubsequences: true) {
      guard let number = UInt16(port), number > 0 else {
        throw Problem(description: "The port in the address is not a number from 1 to 65535. \(encodingHint)")
      }
    }
  }

  /// The address without a password and without parameters other than `sslmode`.
  public var description: String {
    let user = parameters["user"].map { "\($0)@" } ?? ""
    let ports = (parameters["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let hosts = (parameters["host"] ?? parameters["hostaddr"] ?? "").split(
      separator: ",", omittingEmptySubsequences: false
    ).enumerated().map { index, host in
      let name = host.contains(":") ? "[\(host)]" : String(host)
      guard let port = index < ports.count ? ports[index] : ports.last, !port.isEmpty else { return name }
      return "\(name):\(port)"
    }
    let mode = parameters["sslmode"].map { "?sslmode=\($0)" } ?? ""
    return "postgresql://\(user)\(hosts.joined(separator: ","))/\(parameters["dbname"] ?? "")\(mode)"
  }
}
