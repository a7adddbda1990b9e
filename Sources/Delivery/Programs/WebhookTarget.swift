/// A person's own URL that accepts alarms as signed JSON.
public struct WebhookTarget: Hashable, Sendable, CustomStringConvertible {
  public let url: TargetURL
  /// The secret shared with the receiver. The signature proves that the alarm comes from this server.
  public let secret: Secret

  /// Reads `{"url":"https://...","secret":"..."}`, with a secret of at least 16 bytes.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    url = try fields.requiredURL("url")
    let secret = try fields.requiredText("secret", limit: 256)
    guard secret.utf8.count >= 16 else {
      throw ConfigurationError(
        field: "secret", given: "\(secret.utf8.count) bytes", allowed: "16 to 256 bytes")
    }
    self.secret = Secret(secret)
  }

  public var description: String { "webhook at \(url.origin)" }
}
