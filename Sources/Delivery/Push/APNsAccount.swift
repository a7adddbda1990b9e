/// The operator's account with Apple: in whose name notifications are sent, and for which app.
public struct APNsAccount: Sendable {
  package let tokens: APNsTokenSource
  /// The app's bundle identifier, for channels that name none.
  package let topic: String?
  /// "https://api.push.apple.com"; nil takes Apple's for the device's environment.
  package let host: String?

  public init(tokens: APNsTokenSource, topic: String? = nil, host: String? = nil) {
    self.tokens = tokens
    self.topic = topic
    self.host = host
  }
}
