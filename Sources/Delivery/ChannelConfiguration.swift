import Formats
import Store

/// The address and secrets of a channel, checked once, when it is made from JSON.
public enum ChannelConfiguration: Hashable, Sendable {
  case webPush(WebPushSubscription)
  case ntfy(NtfyTopic)
  case webhook(WebhookTarget)
  case mail(MailRecipient)
  case ownTracks(OwnTracksTarget)
  case homeAssistant(HomeAssistantTarget)
  case apns(APNsDevice)
  case service(MessagingService)
  case mqtt(MQTTTarget)

  /// The largest JSON that is read, in bytes.
  public static let maximumSize = 16_384

  /// Reads and checks JSON from the API or the database.
  /// - Parameter policy: the hosts that may be addressed. Literal addresses are checked here, names when they
  ///   are connected to.
  /// - Throws: the field that is wrong, the given value and the allowed ones.
  public init(kind: ChannelKind, json: [UInt8], policy: TargetPolicy) throws(ConfigurationError) {
    let fields = try ConfigurationFields(json: json, policy: policy)
    switch kind {
    case .webPush: self = .webPush(try WebPushSubscription(fields))
    case .ntfy: self = .ntfy(try NtfyTopic(fields))
    case .webhook: self = .webhook(try WebhookTarget(fields))
    case .mail: self = .mail(try MailRecipient(fields))
    case .ownTracks: self = .ownTracks(try OwnTracksTarget(fields))
    case .homeAssistant: self = .homeAssistant(try HomeAssistantTarget(fields))
    case .apns: self = .apns(try APNsDevice(fields))
    case .mqtt: self = .mqtt(try MQTTTarget(fields))
    case .gotify, .telegram, .pushover, .matrix, .apprise, .gateway:
      guard let service = try MessagingService(kind: kind, fields) else {
        throw ConfigurationError(field: "kind", given: kind.rawValue, allowed: "a messaging service")
      }
      self = .service(service)
    }
    try fields.refuseUnknown()
  }

  public var kind: ChannelKind {
    switch self {
    case .webPush: .webPush
    case .ntfy: .ntfy
    case .webhook: .webhook
    case .mail: .mail
    case .ownTracks: .ownTracks
    case .homeAssistant: .homeAssistant
    case .apns: .apns
    case .service(let service): service.kind
    case .mqtt: .mqtt
    }
  }

  /// The address without its secrets, for lists and records.
  public var summary: String {
    switch self {
    case .webPush(let subscription): subscription.description
    case .ntfy(let topic): topic.description
    case .webhook(let target): target.description
    case .mail(let recipient): recipient.description
    case .ownTracks(let target): target.description
    case .homeAssistant(let target): target.description
    case .apns(let device): device.description
    case .service(let service): service.description
    case .mqtt(let target): target.description
    }
  }
}

/// The reason why a channel's settings were refused.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the member; empty for the whole.
  public let field: String
  /// A description of the given value, never a secret itself.
  public let given: String
  public let allowed: String
  public init(field: String, given: String, allowed: String) {
    self.field = field
    self.given = given
    self.allowed = allowed
  }
  public var description: String {
    (field.isEmpty ? "" : "\(field): ") + "\(given) found; allowed: \(allowed)"
  }
}
