/// The account's topics on the operator's MQTT broker.
public struct MQTTTarget: Hashable, Sendable, CustomStringConvertible {
  /// Whether positions are published, or only in which zones the phones are and what rings.
  public let sharesPosition: Bool
  /// Whether Home Assistant is told of the phones, so that it makes entities of them by itself.
  public let isDiscovered: Bool

  /// `{"shares_position":false,"discovery":true}`: no positions and discovery where they are left out.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    sharesPosition = try fields.flag("shares_position", default: false)
    isDiscovered = try fields.flag("discovery", default: true)
  }

  public var description: String {
    sharesPosition ? "this server's MQTT broker, with positions" : "this server's MQTT broker"
  }
}
