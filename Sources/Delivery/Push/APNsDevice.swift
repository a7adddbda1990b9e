/// An app on an Apple device that is registered for notifications.
public struct APNsDevice: Hashable, Sendable, CustomStringConvertible {
  public enum Environment: String, CaseIterable, Hashable, Sendable { case production, development }

  /// The device token in hexadecimal, as the app got it from the system.
  public let token: Secret
  public let environment: Environment
  /// The app's bundle identifier; nil is the one that the operator has set.
  public let topic: String?
  /// True if the app is entitled to critical alerts, which sound even in silent mode.
  public let isCritical: Bool

  /// Reads `{"token":"...","environment":"production","topic":"org.example.app","critical":false}`. All but
  /// the token may be left out.
  package init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    let token = try fields.requiredText("token", limit: 400)
    // Apple's tokens have a variable length, at present 32 bytes.
    guard token.utf8.count >= 16, token.utf8.count % 2 == 0, token.utf8.allSatisfy({ Self.isHexadecimal($0) })
    else {
      throw ConfigurationError(
        field: "token", given: "\(token.utf8.count) characters that are something else",
        allowed: "16 to 400 hexadecimal digits, an even number")
    }
    self.token = Secret(token.lowercased())
    environment = try fields.choice("environment", default: .production)
    topic = try fields.text("topic", limit: 155)
    if let topic, !Self.isTopic(topic) {
      throw ConfigurationError(field: "topic", given: topic.excerpt(40), allowed: "a bundle identifier")
    }
    isCritical = try fields.flag("critical", default: false)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte | 32)
  }

  /// True if it may be an app's bundle identifier: letters, digits, hyphens and dots.
  package static func isTopic(_ text: String) -> Bool {
    (1...155).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        ($0 | 32 >= 97 && $0 | 32 <= 122) || (45...46).contains($0) || (48...57).contains($0)
      }
  }

  public var description: String { "APNs for \(topic ?? "this server's app")" }
}
