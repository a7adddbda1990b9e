/// The services that the operator has set up for sending. Makes a channel from each configuration.
public struct DeliveryServices: Sendable {
  public let http: DeliveryHTTP
  /// Nil if this server sends no mail.
  public let mail: SMTPClient?
  /// Nil if this server has no key for Web Push.
  public let webPush: VAPIDSigner?
  /// Nil if this server has no key for APNs.
  public let apns: APNs?
  /// Keeps a transition for an OwnTracks phone's next post.
  public let ownTracks: (@Sendable (OwnTracksTransition, AlarmNotice) async throws -> Void)?

  /// Nil if this server has no MQTT broker.
  package var mqtt: (any MQTTOutlet)?

  /// Replaces the network in tests: if set, it makes every channel.
  var substitute: (@Sendable (ChannelConfiguration) -> any DeliveryChannel)?

  public struct APNs: Sendable {
    package let account: APNsAccount
    package let http: DeliveryHTTP
    /// - Parameter http: a client that speaks HTTP/2.
    public init(account: APNsAccount, http: DeliveryHTTP) {
      self.account = account
      self.http = http
    }
  }

  public init(
    http: DeliveryHTTP, mail: SMTPClient? = nil, webPush: VAPIDSigner? = nil, apns: APNs? = nil,
    ownTracks: (@Sendable (OwnTracksTransition, AlarmNotice) async throws -> Void)? = nil
  ) {
    self.http = http
    self.mail = mail
    self.webPush = webPush
    self.apns = apns
    self.ownTracks = ownTracks
  }

  /// - Throws: `.misconfigured` if the operator has not set up a service that the channel needs.
  public func channel(_ configuration: ChannelConfiguration) throws(DeliveryFailure) -> any DeliveryChannel {
    if let substitute { return substitute(configuration) }
    switch configuration {
    case .webPush(let subscription):
      guard let webPush else { throw .misconfigured("this server has no key for Web Push") }
      return WebPushChannel(subscription: subscription, signer: webPush, http: http)
    case .ntfy(let topic): return NtfyChannel(topic: topic, http: http)
    case .webhook(let target): return WebhookChannel(target: target, http: http)
    case .mail(let recipient):
      guard let mail else { throw .misconfigured("this server has no mail server") }
      return MailChannel(recipient: recipient, client: mail)
    case .ownTracks(let target):
      guard let ownTracks else { throw .misconfigured("this server takes no OwnTracks phones") }
      return OwnTracksChannel(target: target, queue: ownTracks)
    case .service(let service): return ServiceChannel(service: service, http: http)
    // It needs the account's login and its alarms, which are in the store.
    case .mqtt: throw .misconfigured("an MQTT channel is made with the store")
    case .homeAssistant(let target): return HomeAssistantChannel(target: target, http: http)
    case .apns(let device):
      guard let apns else { throw .misconfigured("this server has no key for APNs") }
      guard let topic = device.topic ?? apns.account.topic else {
        throw .misconfigured("neither the channel nor the server says which app is meant (topic)")
      }
      return APNsChannel(
        device: device, topic: topic, tokens: apns.account.tokens, http: apns.http, host: apns.account.host)
    }
  }

  /// Closes all connections. Nothing can be sent after that.
  package func shutdown() {
    http.shutdown()
    apns?.http.shutdown()
  }
}
