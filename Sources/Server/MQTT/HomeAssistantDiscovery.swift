import Delivery
import Formats
import Store

/// Announces a phone to Home Assistant, which creates entities for its position, its presence in each zone,
/// and its alarms.
///
/// Source: Home Assistant, "MQTT", "MQTT discovery", and the integrations MQTT device tracker, binary sensor
/// and event.
struct HomeAssistantDiscovery {
  let states: MQTTPhoneStates

  /// The topics to subscribe to in order to learn which configurations the broker has.
  static let filter = "homeassistant/+/+/+/config"

  /// True if a server that publishes under `root` wrote this configuration on the broker. It is then removed
  /// once its phone or zone no longer exists.
  static func isOurs(_ topic: String, _ payload: [UInt8], root: String) -> Bool {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 5, levels[2].hasPrefix("proximity_"), let config = try? JSONValue.parse(payload)
    else {
      return false
    }
    return config["availability_topic"]?.string == status(root)
  }

  /// `online` or `offline`, retained.
  static func status(_ root: String) -> String { "\(root)/status" }

  /// Payloads by topics.
  var messages: [String: [UInt8]] {
    var messages: [String: [UInt8]] = [:]
    func entity(_ component: String, _ object: String, _ name: JSONValue, _ members: [(String, JSONValue)]) {
      let common: [(String, JSONValue)] = [("name", name), ("unique_id", .string("\(node)_\(object)"))]
      messages["homeassistant/\(component)/\(node)/\(object)/config"] =
        JSONValue.object(common + members + shared).bytes
    }
    // Without a name of its own the entity takes the device's name. Its state comes from the attributes: the
    // coordinates if there are any, else the names of zones.
    entity(
      "device_tracker", "location", .null,
      [("json_attributes_topic", .string(states.stateTopic)), ("source_type", .string("gps"))])
    for place in states.places {
      entity(
        "binary_sensor", "zone_\(place.id)", .string(place.name.isEmpty ? "\(place.id)" : place.name),
        [
          ("state_topic", .string(states.topic(of: place.id))),
          // Home Assistant takes "None" for unknown.
          ("value_template", .string("{{ 'None' if value_json.state == 'unknown' else value_json.state }}")),
          ("payload_on", .string(MQTTPresence.State.inside.rawValue)),
          ("payload_off", .string(MQTTPresence.State.outside.rawValue)),
          ("device_class", .string("presence")),
        ])
    }
    entity(
      "event", "alarm", .string("Alarm"),
      [
        ("state_topic", .string(states.alarmTopic)),
        ("event_types", .array(MQTTChannel.eventTypes.map { .string($0) })),
      ])
    return messages
  }

  /// The device's name in all topics, ids and the device's identifier; it has only letters, digits and `_`.
  private var node: String { "proximity_\(states.device)" }

  private var shared: [(String, JSONValue)] {
    [
      ("availability_topic", .string(Self.status(states.root))), ("qos", .integer(1)),
      (
        "device",
        .object([
          ("identifiers", .array([.string(node)])), ("name", .string(states.name)),
          ("manufacturer", .string("Proximity Alarm")),
        ])
      ), ("origin", .object([("name", .string("Proximity Alarm"))])),
    ]
  }
}
