/// The operator's account with Apple: in whose name notifications are sent, and for which app.
public struct APNsAccount: Sendable {
  let tokens: APNsTokenSource
  /// The app's bundle identifier, for channels that name none.
  let topic: String?
  /// "https://api.push.apple.com"; nil takes Apple's for the device's environment.
  let host: String?

  public init(tokens: APNsTokenSource, topic: String? = nil, host: String? = nil) {
    self.tokens = tokens
    self.topic = topic
    self.host = host
  }
}
