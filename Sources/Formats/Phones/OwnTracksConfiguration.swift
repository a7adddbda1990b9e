import Foundation

/// The configuration that makes OwnTracks report to us, as a link, the contents of a QR code, or an `.otrc`
/// file.
public struct OwnTracksConfiguration: Hashable, Sendable {
  /// `https://host/pub`. A change of it, of the user or of the mode empties the queue on Android.
  public var url: String
  public var user: String
  public var password: String
  public var device: String
  /// Two characters.
  public var trackerID: String
  public var monitoring = MonitoringMode.significant
  /// True if we may send commands, fences and settings.
  public var allowsCommands = true
  /// Seconds and metres between two reports: in move mode, and on Android in significant mode too.
  public var locatorInterval = 60
  public var locatorDisplacement = 50
  /// Minutes after which a phone reports although it has not moved. Android does it every 15 at most.
  public var ping = 15
  public var fences: OwnTracksFences?
  /// The key with which both apps encrypt messages and decrypt our replies; nil for no encryption.
  public var encryptionKey: String?

  public init(url: String, user: String, password: String, device: String, trackerID: String) {
    self.url = url
    self.user = user
    self.password = password
    self.device = device
    self.trackerID = trackerID
  }

  /// The configuration link. iOS since 26.2.3 accepts it only after the person has allowed remote
  /// configuration; the file always works.
  public var link: String {
    "owntracks:///config?inline=" + PercentCoding.encode(Data(json.text.utf8).base64EncodedString())
  }
  /// The bytes of an `.otrc` file.
  public var file: [UInt8] { Array((json.text + "\n").utf8) }

  var json: JSONValue {
    .object([
      ("_type", .string("configuration")), ("mode", .integer(3)), ("url", .string(url)),
      ("auth", .bool(true)),
      ("username", .string(user)), ("password", .string(password)), ("deviceId", .string(device)),
      ("tid", .string(trackerID)), ("monitoring", .integer(Int64(monitoring.rawValue))),
      ("cmd", .bool(allowsCommands)), ("remoteConfiguration", .bool(allowsCommands)),
      ("allowRemoteLocation", .bool(allowsCommands)), ("extendedData", .bool(true)),
      ("locatorInterval", .integer(Int64(locatorInterval))),
      ("locatorDisplacement", .integer(Int64(locatorDisplacement))), ("ping", .integer(Int64(ping))),
      // An empty key removes the one that the app had before.
      ("encryptionKey", .string(encryptionKey ?? "")),
      ("waypoints", fences?.json["waypoints"] ?? .array([])),
    ])
  }
}
