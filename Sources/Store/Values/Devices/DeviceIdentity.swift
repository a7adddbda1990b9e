import AlarmEngine

/// How a device calls itself in a phone protocol.
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
  }
  public let scheme: Scheme
  public let value: String
  /// Who has proved to be this account when reporting under it; nil: anyone may, as protocols without
  /// credentials let them. The same value in two accounts is two devices.
  public let account: AccountID?

  public init(_ scheme: Scheme, _ value: String, of account: AccountID?) {
    self.scheme = scheme
    self.value = value
    self.account = account
  }
}
