/// The endpoints that phone apps report to, named by the first part of the path.
///
/// Paths that begin with `log` are those of the Nextcloud app PhoneTrack: its clients need only change the
/// host.
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

  /// True if the client is OwnTracks, which discards a message that is answered with 4xx.
  public var isOwnTracks: Bool { self == .owntracks || self == .logOwnTracks }

  /// Finds the endpoint, token and device of a path. The parts that Nextcloud puts in front
  /// (`/index.php/apps/phonetrack`) are skipped.
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
