import AlarmEngine
import Formats
import Hummingbird

/// How it stands with the operator's MQTT broker.
enum MQTTRoutes {
  private static let states = ["off", "standby", "connecting", "connected", "away"]
  private static let unknown = Schema.object([
    .needed("user", .text(1...200), "Of the topic."), .needed("device", .text(1...200), "Of the topic."),
    .needed("at", .time, "When the last message came."), .needed("count", .integer(1...Int64.max), ""),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/mqtt", name: "getMQTT",
      summary:
        "Whether phones can report by the operator's MQTT broker, and who does without having been set up",
      handler: .account { call, signed in
        let status = call.parts.mqtt
        let state = status.state
        var (since, reason): (JSONValue, JSONValue) = (.null, .null)
        switch state {
        case .off, .standby, .connecting: break
        case .connected(let instant): since = instant.json
        case .away(let instant, let words):
          since = instant.json
          // It may name hosts of the operator's network.
          if signed.isAdministrator { reason = .string(words) }
        }
        let strangers = status.unknown.filter { signed.isAdministrator || $0.user == signed.login }
        return .json(
          .object([
            ("state", .string(state.word)), ("since", since), ("reason", reason),
            ("received", .integer(Int64(status.received))),
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
            .needed("since", .optional(.time), "Of connected and away."),
            .needed("reason", .optional(.text(0...1000)), "Of away, for administrators."),
            .needed(
              "received", .integer(0...Int64.max), "Messages that were stored, since this process began."),
            .needed(
              "unknown", .list(unknown, upTo: MQTTStatus.mostUnknown),
              "Who published without being a device: for administrators all, for others those under their login."
            ),
          ]), "As this process has it.")
      ])
  ]
}
