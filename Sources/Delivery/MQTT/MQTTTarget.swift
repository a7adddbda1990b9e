/// The account's topics on the operator's MQTT broker.
public struct MQTTTarget: Hashable, Sendable, CustomStringConvertible {
  /// True if positions are published too; false for the zones that phones are in and the alarms alone.
  public let sharesPosition: Bool
  /// True if the phones are announced to Home Assistant, so that it makes entities of them by itself.
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
