/// Where phones' apps report to. The names are those of the first part of the path.
///
/// Those that begin with `log` are the paths of the Nextcloud app PhoneTrack: whoever reports there is ours by
/// changing the host.
public enum PhoneEndpoint: String, CaseIterable, Sendable {
  /// `/pub`, the path of OwnTracks Recorder, or `/owntracks`.
  case owntracks
  /// `/overland`, followed by a token or not.
  case overland
  /// `/traccar`, or `/`, where clients of Traccar report to a port of their own.
  case traccar
  /// `/osmand/{token}/{device}`: OsmAnd's online tracking.
  case osmand
  /// `/gpslogger/{token}`.
  case gpslogger

  /// `/logGet/{token}/{device}`, and so on.
  case logGet
  case logPost
  case logPostMultiple
  /// `/log/osmand/{token}/{device}`, and so on.
  case logOsmAnd = "log/osmand"
  case logGPSLogger = "log/gpslogger"
  case logLocusMap = "log/locusmap"
  case logOwnTracks = "log/owntracks"
  case logOverland = "log/overland"
  case logTraccar = "log/traccar"
  /// `/log/ulogger/{token}/{device}/client/index.php`.
  case logULogger = "log/ulogger"
  case logOpenGTS = "log/opengts"

  /// Whether the app on the other side is OwnTracks, which throws away what is answered with 4xx.
  public var isOwnTracks: Bool { self == .owntracks || self == .logOwnTracks }

  /// The endpoint of a path, with the token and the device in it. Parts in front that Nextcloud puts there
  /// (`/index.php/apps/phonetrack`) are passed over.
  static func find(path: String) -> (endpoint: Self, token: String?, device: String?)? {
    var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentCoding.decode(Array($0)[...]) }
    if parts.first == "index.php" { parts.removeFirst() }
    if parts.starts(with: ["apps", "phonetrack"]) { parts.removeFirst(2) }
    guard let first = parts.first else { return (.traccar, nil, nil) }
    let endpoint: Self?
    if first == "log", parts.count > 1 {
      endpoint = Self(rawValue: "log/\(parts[1])")
      parts.removeFirst(2)
    } else {
      endpoint = first == "pub" ? .owntracks : Self(rawValue: first)
      parts.removeFirst()
    }
    guard let endpoint else { return nil }
    return (endpoint, parts.first, parts.count > 1 ? parts[1] : nil)
  }
}
