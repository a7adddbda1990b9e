/// The way to the operator's MQTT broker, as far as alarms need it.
package protocol MQTTOutlet: Sendable {
  /// Whether this process has the connection now. Of several processes one has it; alarms wait for that one.
  var isOpen: Bool { get }
  /// Publishes with QoS 1, not retained; returns when the broker has taken the message over. It may have been published even
  /// where this throws.
  /// - Parameter levels: of the topic, below the server's own first level; any characters.
  /// - Returns: the topic.
  func publish(_ levels: [String], _ payload: [UInt8]) async throws(DeliveryFailure) -> String
}
