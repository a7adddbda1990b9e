import AlarmEngine

/// The name under which a device reports in a phone protocol.
public struct DeviceIdentity: Hashable, Sendable {
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// "user/device".
    case ownTracks = "owntracks"
    /// "device_id", and after a slash the unique id where it sends one.
    case overland
    /// The device identifier.
    case traccar
    /// The name in the path, of PhoneTrack's, OsmAnd's and GPSLogger's addresses.
    case path
    /// Our own page and library clients.
    case own
    /// "user/device" of OwnTracks' topics on the operator's MQTT broker. The broker checks who may publish
    /// there, so no credentials are needed. Only one account can have the name.
    case mqtt
  }
  public let scheme: Scheme
  public let value: String
  /// The account whose credentials reports under this name need; nil if anybody can report under it, as
  /// protocols without credentials allow. The same name in two accounts is two devices.
  public let account: AccountID?

  public init(_ scheme: Scheme, _ value: String, of account: AccountID?) {
    self.scheme = scheme
    self.value = value
    self.account = account
  }
}
