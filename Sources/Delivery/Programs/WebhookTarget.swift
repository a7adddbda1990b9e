/// A URL of somebody's own that takes alarms as JSON, signed.
public struct WebhookTarget: Hashable, Sendable, CustomStringConvertible {
  public let url: TargetURL
  /// Shared with the receiver; the signature shows that the alarm is from here.
  public let secret: Secret

  /// `{"url":"https://...","secret":"..."}`, the secret of at least 16 bytes.
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
