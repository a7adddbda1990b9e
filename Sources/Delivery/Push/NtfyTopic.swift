/// A topic on an ntfy server. On a public server its name is the secret.
public struct NtfyTopic: Hashable, Sendable, CustomStringConvertible {
  /// The server. JSON is published at its root; the topic is in the body.
  public let server: TargetURL
  public let topic: Secret
  /// An access token; empty sends none.
  public let token: Secret

  /// Reads `{"server":"https://ntfy.sh","topic":"...","token":"tk_..."}`; the server may be left out.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    if let url = try fields.url("server") {
      server = url
    } else {
      do { server = try TargetURL("https://ntfy.sh", policy: fields.policy) } catch {
        throw ConfigurationError(field: "server", given: error.given, allowed: error.allowed)
      }
    }
    let name = try fields.requiredText("topic", limit: 64)
    // The topics that ntfy accepts: `^[-_A-Za-z0-9]{1,64}$`.
    guard name.utf8.allSatisfy({ Self.isTopicByte($0) }) else {
      throw ConfigurationError(
        field: "topic", given: "other characters", allowed: "1 to 64 of A-Z, a-z, 0-9, - and _")
    }
    topic = Secret(name)
    let token = try fields.text("token", limit: 200) ?? ""
    guard token.utf8.allSatisfy({ Self.isTopicByte($0) }) else {
      throw ConfigurationError(field: "token", given: "other characters", allowed: "A-Z, a-z, 0-9, - and _")
    }
    self.token = Secret(token)
  }

  private static func isTopicByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 32) || byte == 45 || byte == 95
  }

  public var description: String { "ntfy at \(server.host)" }
}
