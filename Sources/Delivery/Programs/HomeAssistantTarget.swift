import AlarmEngine
import Formats
import Store

/// A person's Home Assistant: its address, the token for registering with it, and the answers of its
/// `mobile_app` integration.
public struct HomeAssistantTarget: Hashable, Sendable, CustomStringConvertible {
  /// The webhook of a registration, and the URLs at which it is reached.
  package struct Registration: Hashable, Sendable {
    /// Identifies the registration. It is also the only secret needed to use it.
    let webhookID: Secret
    let cloudhook: TargetURL?
    let remoteUI: TargetURL?
  }

  package let instance: TargetURL?
  /// A long-lived access token; nil in a channel that was given only a webhook. Such a channel cannot
  /// register again and sends no positions.
  package let accessToken: Secret?
  /// The server's own registration, for events; nil before the first.
  package let registration: Registration?
  /// The registration of each phone whose position is sent.
  package let phones: [DeviceID: Registration]
  /// True if positions are sent; false for the zone's name alone.
  public let sharesPosition: Bool

  /// Reads the settings. A person gives
  /// `{"instance":"https://...","access_token":"...","shares_position":true}`. The stored form also has the
  /// answers of Home Assistant: `webhook_id`, `cloudhook_url`, `remote_ui_url`, and the same for each phone
  /// in `phones`.
  package init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    let instance = try fields.url("instance")
    let token = try fields.text("access_token", limit: 4096)
    guard token?.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) != false, token != "" else {
      throw ConfigurationError(
        field: "access_token", given: "characters that no token has", allowed: "a long-lived access token")
    }
    registration = try Self.registration(fields)
    phones = try Self.phones(fields)
    sharesPosition = try fields.flag("shares_position", default: true)
    if token != nil, instance == nil {
      throw ConfigurationError(field: "instance", given: "nothing", allowed: "the address of Home Assistant")
    }
    if token == nil {
      guard let registration else {
        throw ConfigurationError(
          field: "access_token", given: "nothing",
          allowed: "a long-lived access token, or the webhook_id of a registration")
      }
      guard registration.cloudhook != nil || registration.remoteUI != nil || instance != nil else {
        throw ConfigurationError(
          field: "instance", given: "nothing",
          allowed: "at least one of cloudhook_url, remote_ui_url, instance")
      }
    }
    self.instance = instance
    accessToken = token.map { Secret($0) }
  }

  private init(
    instance: TargetURL?, accessToken: Secret?, registration: Registration?,
    phones: [DeviceID: Registration], sharesPosition: Bool
  ) {
    self.instance = instance
    self.accessToken = accessToken
    self.registration = registration
    self.phones = phones
    self.sharesPosition = sharesPosition
  }

  private static func registration(
    _ fields: ConfigurationFields
  ) throws(ConfigurationError) -> Registration? {
    guard let id = try fields.text("webhook_id", limit: 256) else {
      fields.ignore("cloudhook_url")
      fields.ignore("remote_ui_url")
      return nil
    }
    let isName = id.utf8.allSatisfy {
      ($0 | 32 >= 97 && $0 | 32 <= 122) || (48...57).contains($0) || $0 == 45 || $0 == 95
    }
    guard isName, !id.isEmpty else {
      throw ConfigurationError(
        field: "webhook_id", given: "other characters", allowed: "A-Z, a-z, 0-9, - and _")
    }
    return Registration(
      webhookID: Secret(id), cloudhook: try fields.url("cloudhook_url"),
      remoteUI: try fields.url("remote_ui_url"))
  }

  private static func phones(
    _ fields: ConfigurationFields
  ) throws(ConfigurationError) -> [DeviceID: Registration] {
    var phones: [DeviceID: Registration] = [:]
    guard let all = try fields.optionalObject("phones") else { return phones }
    for name in all.names {
      guard let id = DeviceID(name), let registration = try registration(all.object(name)) else {
        throw ConfigurationError(field: "phones", given: "an unknown phone", allowed: "nothing")
      }
      phones[id] = registration
    }
    return phones
  }

  package func with(_ registration: Registration) -> Self {
    Self(
      instance: instance, accessToken: accessToken, registration: registration, phones: phones,
      sharesPosition: sharesPosition)
  }

  /// - Parameter registration: nil removes the phone.
  package func with(_ registration: Registration?, of phone: DeviceID) -> Self {
    var phones = phones
    phones[phone] = registration
    return Self(
      instance: instance, accessToken: accessToken, registration: self.registration, phones: phones,
      sharesPosition: sharesPosition)
  }

  /// Returns the URLs of a registration in the order that Home Assistant's developers ask for: its cloudhook,
  /// the remote UI, the instance.
  func hooks(of registration: Registration) -> [String] {
    let path = "api/webhook/\(registration.webhookID.revealed)"
    return [registration.cloudhook?.text, registration.remoteUI?.appending(path), instance?.appending(path)]
      .compactMap { $0 }
  }

  /// The stored form, for `ChannelConfiguration`.
  package var json: JSONValue {
    var members: [(String, JSONValue)] = []
    if let instance { members.append(("instance", .string(instance.text))) }
    if let accessToken { members.append(("access_token", .string(accessToken.revealed))) }
    members += registration.map(Self.members) ?? []
    if !phones.isEmpty {
      let all = phones.sorted { $0.key < $1.key }.map { id, registration in
        (id.description, JSONValue.object(Self.members(registration)))
      }
      members.append(("phones", .object(all)))
    }
    return .object(members + [("shares_position", .bool(sharesPosition))])
  }

  private static func members(_ registration: Registration) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("webhook_id", .string(registration.webhookID.revealed))]
    if let url = registration.cloudhook { members.append(("cloudhook_url", .string(url.text))) }
    if let url = registration.remoteUI { members.append(("remote_ui_url", .string(url.text))) }
    return members
  }

  public var description: String {
    let url = instance ?? registration?.remoteUI ?? registration?.cloudhook
    return "Home Assistant at \(url?.host ?? "")"
  }
}
