import AlarmService
import MQTTClient

/// The operator's MQTT broker.
extension ServerSettings {
  struct Broker: Sendable {
    var address: MQTTAddress
    /// The first level of the topics under which this server publishes.
    var root = "proximity"
  }

  /// Nil if no broker is set.
  static func broker(_ values: Values) throws(Refusal) -> Broker? {
    guard let text = values.text(.mqtt) else {
      try refuseAlone([.mqttPasswordFile, .mqttTopic], without: .mqtt, values)
      return nil
    }
    guard var address = MQTTAddress(text) else {
      throw values.refusal(
        .mqtt, "mqtts:// or mqtt://, a user and a password or none, a host, and a port or none,")
    }
    if let password = try firstLine(of: .mqttPasswordFile, values) {
      guard let whole = address.with(password: password) else {
        throw values.refusal(
          .mqttPasswordFile, given: "an address of the broker with a password or without a user",
          "a user and no password in it")
      }
      address = whole
    }
    var broker = Broker(address: address)
    if let root = values.text(.mqttTopic) {
      guard (1...100).contains(root.utf8.count), MQTTTopic.level(root) == root, root != "owntracks",
        root != "homeassistant"
      else { throw values.refusal(.mqttTopic, "one level of a topic, of at most 100 bytes,") }
      broker.root = root
    }
    return broker
  }
}
