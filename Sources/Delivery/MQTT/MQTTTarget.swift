/// The account's topics on the operator's MQTT broker.
public struct MQTTTarget: Hashable, Sendable, CustomStringConvertible {
  /// Whether positions are published, or only the zones that the phones are in and the alarms that ring.
  public let sharesPosition: Bool
  /// Whether the phones are announced to Home Assistant, so that it makes entities of them by itself.
  public let isDiscovered: Bool

  /// Reads `{"shares_position":false,"discovery":true}`. If they are left out: no positions, and discovery.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    sharesPosition = try fields.flag("shares_position", default: false)
    isDiscovered = try fields.flag("discovery", default: true)
  }

  public var description: String {
    sharesPosition ? "this server's MQTT broker, with positions" : "this server's MQTT broker"
  }
}
