/// What to answer a phone. Send it only when what it sent is on disk.
public struct PhoneReply: Hashable, Sendable {
  public var status: Int
  /// With `Content-Type: application/json` unless it is empty.
  public var body: [UInt8]
  /// Seconds for the header `Retry-After`.
  public var retryAfter: Int?

  public init(status: Int = 200, body: [UInt8] = [], retryAfter: Int? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }
  init(_ value: JSONValue) { self.init(body: Array(value.text.utf8)) }

  public var contentType: String? { body.isEmpty ? nil : "application/json" }

  /// The sign of success that each app waits for.
  ///
  /// - Parameters:
  ///   - items: for OwnTracks: friends, alarms, commands. Others have no use for them.
  ///   - pointID: PhoneTrack's clients are told numbers for what they sent and for themselves.
  public static func stored(
    _ report: PhoneReport, items: [OwnTracksItem] = [], pointID: Int64 = 1, deviceID: Int64 = 1
  ) -> Self {
    let ok = JSONValue.object([("result", .string("ok"))])
    if report.isOverlandAsOwnTracks { return Self(ok) }
    switch report.endpoint {
    case .owntracks: return Self(body: OwnTracksItem.encode(items))
    case .logOwnTracks:
      // PhoneTrack answers so what has no position.
      return report.fixes.isEmpty && items.isEmpty ? Self(ok) : Self(body: OwnTracksItem.encode(items))
    case .overland, .logOverland: return Self(ok)
    case .traccar, .osmand, .gpslogger: return Self()
    case .logGet, .logPost:
      return Self(
        .object([
          ("done", .integer(1)), ("friends", .array([])), ("pointId", .integer(pointID)),
          ("deviceId", .integer(deviceID)),
        ]))
    case .logPostMultiple: return Self(.object([("done", .integer(1)), ("friends", .array([]))]))
    case .logOsmAnd, .logGPSLogger, .logLocusMap: return Self(.array([]))
    case .logTraccar: return Self(.object([("status", .string("success"))]))
    case .logULogger: return Self(.object([("error", .bool(false)), ("trackid", .integer(1))]))
    case .logOpenGTS: return Self(.bool(true))
    }
  }

  /// Overland's, with new settings for the phone and words for its screen.
  /// - Parameter place: "Near Cliff edge".
  public static func overland(set settings: OverlandSettings = OverlandSettings(), place: String? = nil)
    -> Self
  {
    var members: [(String, JSONValue)] = [("result", .string("ok"))]
    if let place { members.append(("geocode", .object([("full_name", .string(place))]))) }
    if !settings.isEmpty { members.append(("set", settings.json)) }
    return Self(.object(members))
  }

  /// Credentials that are wrong: OwnTracks on iOS would throw the message away for a 401, so that it is put off instead,
  /// until the password is set right.
  public static func wrongCredentials(at endpoint: PhoneEndpoint) -> Self {
    endpoint.isOwnTracks ? notNow : Self(status: 401)
  }

  /// Nothing could be stored: the phone is to keep what it has and try again.
  public static let notNow = Self(status: 503, retryAfter: 60)
}
