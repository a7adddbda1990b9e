import Formats
import NIOHTTP1

/// Introduces us to a Home Assistant as a device (`mobile_app`), which answers with the webhook to speak to.
public enum HomeAssistantRegistration {
  /// Registers under a long-lived access token, which is not kept.
  /// - Parameters:
  ///   - deviceID: the same one registers anew in place of the old registration.
  /// - Returns: the settings of a channel as JSON, for `ChannelConfiguration`.
  public static func register(
    instance: TargetURL, accessToken: Secret, deviceID: String, deviceName: String, appVersion: String,
    http: DeliveryHTTP
  ) async throws(DeliveryFailure) -> [UInt8] {
    let body = JSONValue.object([
      ("device_id", .string(deviceID)), ("app_id", .string("proximity_alarm")),
      ("app_name", .string("Proximity Alarm")),
      ("app_version", .string(appVersion)), ("device_name", .string(deviceName)),
      ("manufacturer", .string("Proximity Alarm")), ("model", .string("Server")),
      ("os_name", .string("server")),
      ("os_version", .string(appVersion)), ("supports_encryption", .bool(false)), ("app_data", .object([])),
    ])
    guard accessToken.revealed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw .misconfigured("the access token has characters that no token has")
    }
    let answer = try await http.send(
      .POST, instance.appending("api/mobile_app/registrations"),
      headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(accessToken.revealed)")],
      body: Array(body.text.utf8))
    guard (200..<300).contains(answer.status) else { throw .status(answer.status, answer.text) }
    guard let reply = try? JSONValue.parse(answer.body), let id = reply["webhook_id"]?.string, !id.isEmpty
    else {
      throw .garbled("a registration without a webhook_id")
    }
    var settings: [(String, JSONValue)] = [("instance", .string(instance.text)), ("webhook_id", .string(id))]
    for name in ["cloudhook_url", "remote_ui_url"] {
      if let url = reply[name]?.string, !url.isEmpty { settings.append((name, .string(url))) }
    }
    return Array(JSONValue.object(settings).text.utf8)
  }
}
