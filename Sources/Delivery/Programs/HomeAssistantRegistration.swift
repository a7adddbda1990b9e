import AlarmEngine
import Formats
import NIOHTTP1
import Store

/// Registers a device with a Home Assistant (`mobile_app`), which answers with the webhook to use.
///
/// Source: Home Assistant's developer documentation, "Native app integration: Setup", and its component
/// `mobile_app`.
package enum HomeAssistantRegistration {
  /// A device as Home Assistant lists it.
  package struct Device {
    /// The device's id. A new registration with the same id replaces the old one.
    package let id: String
    package let name: String
    let model: String

    /// The server itself, which sends events through a channel.
    package init(server channel: ChannelID) {
      (id, name, model) = ("proximity-\(channel)", "Proximity Alarm", "Server")
    }

    /// A phone that reports to the server.
    package init(phone: DeviceID, named name: String, of channel: ChannelID) {
      (id, model) = ("proximity-\(channel)-\(phone)", "Phone")
      let words = name.excerpt(100)
      self.name = words.isEmpty ? "Phone" : words
    }
  }

  private static let version = "1"

  /// - Throws: also if the target has no access token.
  package static func register(
    _ device: Device, _ target: HomeAssistantTarget, _ http: DeliveryHTTP
  ) async throws(DeliveryFailure) -> HomeAssistantTarget.Registration {
    guard let instance = target.instance, let token = target.accessToken else {
      throw .misconfigured("Home Assistant's address and a long-lived access token are needed to register")
    }
    let body = JSONValue.object([
      ("device_id", .string(device.id)), ("app_id", .string("proximity_alarm")),
      ("app_name", .string("Proximity Alarm")), ("app_version", .string(version)),
      ("device_name", .string(device.name)), ("manufacturer", .string("Proximity Alarm")),
      ("model", .string(device.model)), ("os_name", .string("server")), ("os_version", .string(version)),
      ("supports_encryption", .bool(false)), ("app_data", .object([])),
    ])
    let answer = try await http.send(
      .POST, instance.appending("api/mobile_app/registrations"),
      headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(token.revealed)")],
      body: Array(body.text.utf8))
    guard (200..<300).contains(answer.status) else { throw .status(answer.status, answer.text) }
    let reply = try? JSONValue.parse(answer.body)
    guard let reply, let fields = reply.members?.filter({ kept.contains($0.0) }),
      reply["webhook_id"]?.string != nil
    else { throw .garbled("a registration without a webhook_id") }
    let merged = JSONValue.object([("instance", .string(instance.text))] + fields)
    do throws(ConfigurationError) {
      let made = try ChannelConfiguration(
        kind: .homeAssistant, json: Array(merged.text.utf8), policy: http.policy)
      guard case .homeAssistant(let answered) = made, let registration = answered.registration else {
        throw ConfigurationError(field: "webhook_id", given: "nothing", allowed: "a name")
      }
      return registration
    } catch { throw .garbled("a registration that cannot be used: \(error)".excerpt()) }
  }

  private static let kept: Set<String> = ["webhook_id", "cloudhook_url", "remote_ui_url"]
}
