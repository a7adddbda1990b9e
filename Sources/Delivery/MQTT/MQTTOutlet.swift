/// The connection to the operator's MQTT broker, as far as alarms need it.
package protocol MQTTOutlet: Sendable {
  /// True if this process has the connection now. One of several processes has it; alarms wait for that one.
  var isOpen: Bool { get }
  /// Publishes with QoS 1, not retained. Returns when the broker has accepted the message. It may have been
  /// published even if this throws.
  /// - Parameter levels: the levels of the topic below the server's own first level; any characters.
  /// - Returns: the topic.
  func publish(_ levels: [String], _ payload: [UInt8]) async throws(DeliveryFailure) -> String
}
