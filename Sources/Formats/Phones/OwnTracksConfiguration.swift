import Foundation

/// All that OwnTracks needs to report to us, as a link, a QR code's contents, or an `.otrc` file.
public struct OwnTracksConfiguration: Hashable, Sendable {
  /// `https://host/pub`. A change of it, of the user or of the mode empties the queue on Android.
  public var url: String
  public var user: String
  public var password: String
  public var device: String
  /// Two characters.
  public var trackerID: String
  public var monitoring = MonitoringMode.significant
  /// Let us send commands, fences and settings.
  public var allowsCommands = true
  /// Seconds and metres between two reports in move mode.
  public var locatorInterval = 60
  public var locatorDisplacement = 50
  public var fences: OwnTracksFences?
  /// Both apps encrypt their messages with it, and read our answers with it; nil: they do not encrypt.
  public var encryptionKey: String?

  public init(url: String, user: String, password: String, device: String, trackerID: String) {
    self.url = url
    self.user = user
    self.password = password
    self.device = device
    self.trackerID = trackerID
  }

  /// iOS since 26.2.3 takes it only after the person has allowed configuration from outside; the file always works.
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
      ("locatorDisplacement", .integer(Int64(locatorDisplacement))),
      // Empty: a key that the app had before is taken away.
      ("encryptionKey", .string(encryptionKey ?? "")),
      ("waypoints", fences?.json["waypoints"] ?? .array([])),
    ])
  }
}
