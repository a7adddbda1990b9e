/// The operator's account with Apple, which sends the notifications, and the app that receives them.
public struct APNsAccount: Sendable {
  package let tokens: APNsTokenSource
  /// The app's bundle identifier, for channels that name none.
  package let topic: String?
  /// The server, such as "https://api.push.apple.com"; nil selects Apple's for the device's environment.
  package let host: String?

  public init(tokens: APNsTokenSource, topic: String? = nil, host: String? = nil) {
    self.tokens = tokens
    self.topic = topic
    self.host = host
  }
}
