import AlarmEngine
import Delivery
import Formats
import Hummingbird
import MQTTClient
import Store

/// The state of the connection to the operator's MQTT broker.
enum MQTTRoutes {
  private static let states = ["off", "standby", "connecting", "connected", "away"]
  private static let unknown = Schema.object([
    .needed("user", .text(1...200), "User in the topic."),
    .needed("device", .text(1...200), "Device in the topic."),
    .needed("at", .time, "Time of the last message."),
    .needed("count", .integer(1...Int64.max), "Number of messages."),
  ])

  private static let publishing = Schema.object([
    .needed(
      "channel_id", .id, "Channel of the kind `mqtt` that publishes; its settings are changed there."),
    .needed("shares_position", .boolean, "True if positions are published."),
    .needed("discovery", .boolean, "True if the phones are announced to Home Assistant."),
  ])

  /// The settings under which an account is published; null if it is not. Of several channels the first
  /// counts.
  private static func published(_ call: Call, _ signed: Signed) async throws -> JSONValue {
    let channels = try await call.store.channels(of: signed.account)
    let policy = call.parts.alarms.services.http.policy
    for channel in channels where channel.kind == .mqtt && channel.isActive {
      guard
        case .mqtt(let target)? = try? ChannelConfiguration(
          kind: .mqtt, json: Array(channel.secrets.utf8), policy: policy)
      else { continue }
      return .object([
        ("channel_id", .string("\(channel.id)")), ("shares_position", .bool(target.sharesPosition)),
        ("discovery", .bool(target.isDiscovered)),
      ])
    }
    return .null
  }

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/mqtt", name: "getMQTT",
      summary:
        "Returns the state of the connection to the operator's MQTT broker, and unknown publishers there",
      handler: .account { call, signed in
        let status = call.parts.operation.mqtt
        let state = status.state
        var (since, reason): (JSONValue, JSONValue) = (.null, .null)
        switch state {
        case .off, .standby, .connecting: break
        case .connected(let instant): since = instant.json
        case .away(let instant, let words):
          since = instant.json
          // The reason may name hosts of the operator's network.
          if signed.isAdministrator { reason = .string(words) }
        }
        let topic = call.parts.core.settings.broker.map { "\($0.root)/\(MQTTTopic.level(signed.login))" }
        let strangers = status.unknown.filter { signed.isAdministrator || $0.user == signed.login }
        return .json(
          .object([
            ("state", .string(state.word)), ("since", since), ("reason", reason),
            ("received", .integer(Int64(status.received))),
            ("topic", topic.map { .string($0) } ?? .null), ("published", try await published(call, signed)),
            (
              "unknown",
              .array(
                strangers.map { stranger in
                  .object([
                    ("user", .string(stranger.user)), ("device", .string(stranger.device)),
                    ("at", stranger.at.json), ("count", .integer(Int64(stranger.count))),
                  ])
                })
            ),
          ]))
      },
      answers: [
        .json(
          .object([
            .needed(
              "state", .words(states),
              "off: no broker is set. standby: another process of this server has the connection."),
            .needed("since", .optional(.time), "Start of the state `connected` or `away`."),
            .needed("reason", .optional(.text(0...1000)), "Reason for `away`, only for administrators."),
            .needed(
              "received", .integer(0...Int64.max), "Number of messages stored since this process began."),
            .needed(
              "topic", .optional(.text(1...1000)),
              "Topic below which the account's alarms and states are published; null if no broker is set."),
            .needed(
              "published", .optional(publishing),
              "Data of the account that is published there; null until there is a channel of the kind `mqtt`."
            ),
            .needed(
              "unknown", .list(unknown, upTo: MQTTStatus.mostUnknown),
              "Publishers that are no device: for administrators all, for others those under their login."
            ),
          ]), "The state in this process.")
      ])
  ]
}
