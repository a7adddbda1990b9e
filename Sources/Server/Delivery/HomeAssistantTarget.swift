/// A registration with somebody's Home Assistant, as its `mobile_app` integration answered it.
public struct HomeAssistantTarget: Hashable, Sendable, CustomStringConvertible {
  /// Cloudhook first, remote UI next, the instance last: the order its developers ask for.
  public let hooks: [TargetURL]
  /// Names the registration and is all that is needed to speak for it.
  public let webhookID: Secret
  /// Whether positions are passed on, or only the zone's name.
  public let sharesPosition: Bool

  /// `{"instance":"https://...","webhook_id":"...","cloudhook_url":null,"remote_ui_url":null,"shares_position":true}`
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    let id = try fields.requiredText("webhook_id", limit: 256)
    guard
      id.utf8.allSatisfy({
        ($0 | 32 >= 97 && $0 | 32 <= 122) || (48...57).contains($0) || $0 == 45 || $0 == 95
      })
    else {
      throw ConfigurationError(
        field: "webhook_id", given: "other characters", allowed: "A-Z, a-z, 0-9, - and _")
    }
    webhookID = Secret(id)
    var hooks: [TargetURL] = []
    if let cloud = try fields.url("cloudhook_url") { hooks.append(cloud) }
    for name in ["remote_ui_url", "instance"] {
      guard let base = try fields.url(name) else { continue }
      do { hooks.append(try TargetURL(base.appending("api/webhook/\(id)"), policy: fields.policy)) } catch {
        throw ConfigurationError(field: name, given: error.given, allowed: error.allowed)
      }
    }
    guard !hooks.isEmpty else {
      throw ConfigurationError(
        field: "instance", given: "nothing", allowed: "at least one of cloudhook_url, remote_ui_url, instance"
      )
    }
    self.hooks = hooks
    sharesPosition = try fields.flag("shares_position", default: true)
  }

  public var description: String { "Home Assistant at \(hooks[hooks.count - 1].host)" }
}
