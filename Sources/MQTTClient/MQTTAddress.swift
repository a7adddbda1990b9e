import Foundation

/// The address of a broker: `mqtts://user:password@broker.example.org:8883`.
package struct MQTTAddress: Hashable, Sendable {
  package let host: String
  package let port: Int
  package let isSecure: Bool
  package let user: String?
  package private(set) var password: String?

  /// - Parameter text: `mqtts://` (TLS, port 8883) or `mqtt://` (port 1883), optionally a user and a
  ///   password, a host, optionally a port. Reserved characters are percent-encoded.
  /// - Returns: nil for anything else.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host,
      ["mqtt", "mqtts"].contains(scheme), !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil,
      parts.fragment == nil
    else { return nil }
    isSecure = scheme == "mqtts"
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = parts.port ?? (isSecure ? 8883 : 1883)
    guard (1...65_535).contains(port) else { return nil }
    user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    password = parts.password
    // MQTT 3.1.1 allows no password without a user, and no text of more than 65,535 bytes.
    guard password == nil || user != nil, (user?.utf8.count ?? 0) <= 1000, (password?.utf8.count ?? 0) <= 1000
    else {
      return nil
    }
  }

  /// Adds a password.
  /// - Returns: nil if there is a password already, or no user.
  package func with(password: String) -> Self? {
    guard self.password == nil, user != nil, password.utf8.count <= 1000 else { return nil }
    var whole = self
    whole.password = password
    return whole
  }

  /// The address without user and password.
  package var description: String {
    let bare = host.contains(":") ? "[\(host)]" : host
    return "\(isSecure ? "mqtts" : "mqtt")://\(bare):\(port)"
  }
}
