import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import HTTPTypes
import Logging

extension ServerSettings {
  /// All settings of a server, by their names in a settings file.
  ///
  /// The same setting is `--tls-key` on the command line and `PROXIMITY_TLS_KEY` in the environment. A flag
  /// takes precedence over the environment, and the environment over the file.
  public enum Key: String, CaseIterable, Sendable {
    case listen, data, database
    case publicURL = "public_url"
    case domain
    case httpPort = "http_port"
    case httpsPort = "https_port"
    case tlsCertificate = "tls_certificate"
    case tlsKey = "tls_key"
    case trustedProxy = "trusted_proxy"
    case loginHeader = "login_header"
    case proxyAccounts = "proxy_accounts"
    case oidcIssuer = "oidc_issuer"
    case oidcClient = "oidc_client"
    case oidcSecretFile = "oidc_secret_file"
    case oidcName = "oidc_name"
    case oidcAccounts = "oidc_accounts"
    case oidcLoginClaim = "oidc_login_claim"
    case logLevel = "log_level"
    case processName = "process_name"
    case retentionDays = "retention_days"
    case metrics, page, contact
    case androidApp = "app_apk"
    case privateTargets = "private_targets"
    case unclaimed
    case idleTimeout = "idle_timeout_s"
    case shutdownTimeout = "shutdown_timeout_s"
    case streamsPerAccount = "streams_per_account"
    case requestsPerSecond = "requests_per_second"
    case rateLimits = "rate_limits"
    case placesUpstream = "places_upstream"
    case pageOrigins = "page_origins"
    case publicMaps = "public_maps"
    case trustRoots = "trust_roots"
    case smtpHost = "smtp_host"
    case smtpPort = "smtp_port"
    case smtpSecurity = "smtp_security"
    case smtpUser = "smtp_user"
    case smtpPassword = "smtp_password"
    case smtpPasswordFile = "smtp_password_file"
    case smtpSender = "smtp_sender"
    case apnsKeyFile = "apns_key_file"
    case apnsKeyID = "apns_key_id"
    case apnsTeamID = "apns_team_id"
    case apnsTopic = "apns_topic"
    case apnsHost = "apns_host"
    case mqtt
    case mqttPasswordFile = "mqtt_password_file"
    case mqttTopic = "mqtt_topic"

    /// True if error messages must not repeat the value, since it is or contains a secret.
    var isSecret: Bool { [.metrics, .smtpPassword, .database, .mqtt].contains(self) }

    var environmentName: String { "PROXIMITY_" + rawValue.uppercased() }
  }

  /// An invalid setting: its name, its source, the value given and those allowed.
  public struct Refusal: Error, Equatable, CustomStringConvertible, Sendable {
    public let description: String
  }

  /// The text of each setting, from the source with the highest precedence.
  public struct Values: Sendable {
    private var texts: [Key: (text: String, source: String)] = [:]

    public init() {}

    public mutating func add(flags: [Key: String]) {
      for (key, text) in flags {
        set(key, text, "--" + key.rawValue.replacingOccurrences(of: "_", with: "-"))
      }
    }

    /// - Throws: `Refusal` for an unknown name that begins with `PROXIMITY_`.
    public mutating func add(environment: [String: String]) throws(Refusal) {
      for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PROXIMITY_") {
        guard let key = Key.allCases.first(where: { $0.environmentName == name }) else {
          let allowed = Key.allCases.map(\.environmentName).joined(separator: ", ")
          throw Refusal(description: "environment: \(name) is no setting; allowed: \(allowed)")
        }
        set(key, text, name)
      }
    }

    /// Adds one JSON object with the keys of `Key`; values are texts, numbers or lists of texts.
    public mutating func add(file bytes: [UInt8], name: String) throws(Refusal) {
      let value: JSONValue
      do { value = try JSONValue.parse(bytes) } catch {
        throw Refusal(description: "\(name), line \(error.line): \(error.message)")
      }
      guard let members = value.members else {
        throw Refusal(description: "\(name): \(value.kind) found, an object of settings allowed")
      }
      for (name_, value) in members {
        guard let key = Key(rawValue: name_) else {
          let allowed = Key.allCases.map(\.rawValue).joined(separator: ", ")
          throw Refusal(description: "\(name): \(name_) is no setting; allowed: \(allowed)")
        }
        let text: String
        switch value {
        case .string(let given): text = given
        case .integer(let number): text = String(number)
        case .array(let list) where list.allSatisfy({ $0.string != nil }):
          text = list.compactMap(\.string).joined(separator: ",")
        case .null, .bool, .number, .array, .object:
          throw Refusal(
            description:
              "\(name): \(name_) is \(value.kind), a text, a whole number or a list of texts allowed")
        }
        set(key, text, "\(name): \(name_)")
      }
    }

    /// Keeps an earlier value.
    private mutating func set(_ key: Key, _ text: String, _ source: String) {
      if texts[key] == nil { texts[key] = (text, source) }
    }

    public func text(_ key: Key) -> String? { texts[key]?.text }

    func refusal(_ key: Key, _ allowed: String) -> Refusal {
      let text = texts[key].map { key.isSecret ? "what was given" : $0.text }
      return refusal(key, given: text ?? "nothing", allowed)
    }

    func refusal(_ key: Key, given: String, _ allowed: String) -> Refusal {
      Refusal(description: "\(source(key)): \(given) found, \(allowed) allowed")
    }

    /// The source of a setting's value; the setting's name if it has none.
    func source(_ key: Key) -> String { texts[key]?.source ?? key.rawValue }

    /// The content of the file that the setting names.
    func content(_ key: Key, most bytes: Int = 65_536) throws(Refusal) -> [UInt8]? {
      guard let path = text(key) else { return nil }
      guard let content = FileManager.default.contents(atPath: path), content.count <= bytes else {
        throw refusal(key, "a file that can be read, of at most \(bytes) bytes")
      }
      return Array(content)
    }

    func number(_ key: Key, _ allowed: ClosedRange<Int>, or standard: Int) throws(Refusal) -> Int {
      guard let text = text(key) else { return standard }
      guard let number = Int(text), allowed.contains(number) else {
        throw refusal(key, "a whole number from \(allowed.lowerBound) to \(allowed.upperBound)")
      }
      return number
    }
  }

  /// - Throws: `Refusal` for the first invalid value.
  public init(_ values: Values) throws(Refusal) {
    self.init()
    if let text = values.text(.listen) {
      guard let (host, port) = Self.endpoint(text) else {
        throw values.refusal(.listen, "an address and a port such as 127.0.0.1:8080 or [::1]:8080")
      }
      (self.host, self.port) = (host, port)
    }
    if let text = values.text(.publicURL) {
      let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
      guard let url = URL(string: trimmed), let scheme = url.scheme, ["http", "https"].contains(scheme),
        url.host() != nil, url.query() == nil, url.fragment() == nil, url.path().isEmpty
      else { throw values.refusal(.publicURL, "http:// or https://, a host and no path") }
      publicURL = url
    }
    try readCaddy(values)
    tls = try Self.tlsFiles(values)
    trustRoots = try Self.trustRoots(values)
    mail = try Self.mailServer(values)
    apns = try Self.apns(values)
    broker = try Self.broker(values)
    for part in (values.text(.trustedProxy) ?? "").split(separator: ",") {
      guard let block = AddressBlock(part.trimmingCharacters(in: .whitespaces)) else {
        throw values.refusal(.trustedProxy, "addresses or blocks such as 127.0.0.1, 10.0.0.0/8")
      }
      trustedProxies.append(block)
    }
    loginHeader = try Self.loginHeader(values)
    if let text = values.text(.proxyAccounts) {
      guard let word = ["existing": false, "new": true][text] else {
        throw values.refusal(.proxyAccounts, "existing, new")
      }
      makesProxyAccounts = word
    }
    oidc = try Self.oidc(values)
    if let text = values.text(.logLevel) {
      guard let level = Logger.Level(rawValue: text) else {
        throw values.refusal(.logLevel, Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
      }
      logLevel = level
    }
    if let text = values.text(.processName) {
      guard !text.isEmpty, text.utf8.count <= 200 else {
        throw values.refusal(.processName, "1 to 200 bytes")
      }
      processName = text
    }
    if let text = values.text(.retentionDays), text == "all" {
      retentionDays = nil
    } else {
      retentionDays = try values.number(.retentionDays, 1...36_500, or: 400)
    }
    metrics = try Self.metricsAccess(values)
    pageFolder = values.text(.page).map { URL(fileURLWithPath: $0, isDirectory: true) }
    androidApp = values.text(.androidApp).map { URL(fileURLWithPath: $0, isDirectory: false) }
    if let androidApp, !AndroidApp.isThere(androidApp) {
      throw values.refusal(.androidApp, "the APK of the Android app, a file that can be read,")
    }
    if let text = values.text(.contact) {
      guard text.hasPrefix("mailto:") || text.hasPrefix("https://") else {
        throw values.refusal(.contact, "a mailto: or https: address")
      }
      contact = text
    }
    if let text = values.text(.privateTargets) {
      guard let word = ["allow": true, "refuse": false][text] else {
        throw values.refusal(.privateTargets, "allow, refuse")
      }
      allowsPrivateTargets = word
    }
    if let text = values.text(.unclaimed) {
      guard let word = UnclaimedPhones(rawValue: text) else {
        throw values.refusal(.unclaimed, "allow, refuse")
      }
      unclaimed = word
    }
    for part in (values.text(.pageOrigins) ?? "").split(separator: ",") {
      guard let origin = Self.origin(part.trimmingCharacters(in: .whitespaces)) else {
        throw values.refusal(.pageOrigins, "https:// and a host, several parted by commas,")
      }
      pageOrigins.append(origin)
    }
    if let text = values.text(.publicMaps) {
      guard let word = ["allow": true, "refuse": false][text] else {
        throw values.refusal(.publicMaps, "allow, refuse")
      }
      allowsPublicMaps = word
    }
    if let text = values.text(.placesUpstream) {
      guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
        url.host() != nil, url.query() == nil, url.fragment() == nil
      else { throw values.refusal(.placesUpstream, "http:// or https:// and a host") }
      placesUpstream = url
    }
    database = values.text(.database)
    dataFolder = values.text(.data).map { URL(fileURLWithPath: $0, isDirectory: true) }
    idleTimeoutSeconds = try values.number(.idleTimeout, 1...3600, or: idleTimeoutSeconds)
    shutdownSeconds = try values.number(.shutdownTimeout, 1...300, or: shutdownSeconds)
    streamsPerAccount = try values.number(.streamsPerAccount, 1...1000, or: streamsPerAccount)
    requestsPerSecond = try values.number(.requestsPerSecond, 1...1000, or: requestsPerSecond)
    liftsRateLimits = try Self.liftsRateLimits(values, host: host)
  }

  private static func metricsAccess(_ values: Values) throws(Refusal) -> MetricsAccess {
    switch values.text(.metrics) {
    case nil, "loopback": return .loopback
    case "nobody": return .nobody
    case "everybody": return .everybody
    case let text?:
      let token = text.dropFirst("token:".count)
      guard text.hasPrefix("token:"), token.utf8.count >= 16 else {
        throw values.refusal(.metrics, "nobody, loopback, everybody or token: and 16 characters or more")
      }
      return .token(String(token))
    }
  }

  /// Refuses a header that any client can set, or that a browser sets itself: it would let everybody in.
  private static func loginHeader(_ values: Values) throws(Refusal) -> HTTPField.Name? {
    guard let text = values.text(.loginHeader) else { return nil }
    guard !(values.text(.trustedProxy) ?? "").isEmpty else {
      throw values.refusal(.trustedProxy, "the address of the proxy that sets \(text.excerpt(60))")
    }
    let taken: Set = [
      "accept", "authorization", "connection", "content-length", "content-type", "cookie", "forwarded",
      "host",
      "origin", "referer", "te", "transfer-encoding", "upgrade", "user-agent", "x-forwarded-for",
      "x-forwarded-host", "x-forwarded-proto",
    ]
    guard let name = HTTPField.Name(text), !taken.contains(name.canonicalName) else {
      throw values.refusal(
        .loginHeader, "a header's name such as Remote-User, not one that browsers or proxies set otherwise,")
    }
    return name
  }

  /// Without limits passwords can be tried as fast as the server answers, so this is allowed only if it is
  /// reachable from this machine alone.
  private static func liftsRateLimits(_ values: Values, host: String) throws(Refusal) -> Bool {
    switch values.text(.rateLimits) {
    case nil, "on": return false
    case "off":
      let isLoopback = host == "localhost" || AddressBlock.loopback.contains { $0.contains(host) }
      guard isLoopback, values.text(.publicURL) == nil, values.text(.trustedProxy) == nil,
        values.text(.domain) == nil
      else {
        throw values.refusal(
          .rateLimits,
          "off only for a server that listens on a loopback address, without public_url, domain and proxies,")
      }
      return true
    case _?: throw values.refusal(.rateLimits, "on, off")
    }
  }

  /// An origin in the notation of a content security policy, wildcards in the host allowed; nil for any text
  /// that could mean more there.
  ///
  /// Without TLS only this machine: a page that was loaded over TLS may not load from others without it.
  static func origin(_ text: String) -> String? {
    guard
      let (_, isSecure, host, port) = text.wholeMatch(of: #/http(s?)://([A-Za-z0-9.*-]+)(:[0-9]{1,5})?\/?/#)?
        .output
    else { return nil }
    guard !isSecure.isEmpty || ["localhost", "127.0.0.1"].contains(host) else { return nil }
    guard let last = host.last, last != ".", last != "*", !host.dropFirst(2).contains("*") else { return nil }
    guard !host.contains("*") || host.hasPrefix("*.") else { return nil }
    return "http\(isSecure)://\(host)\(port ?? "")"
  }

  /// - Returns: nil unless there is a host (IPv6 in brackets), a colon and a port from 0 to 65535.
  static func endpoint(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (host, Int(port))
  }
}
