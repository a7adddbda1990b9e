/// A reply to a phone. Send it only once the phone's request is on disk.
public struct PhoneReply: Hashable, Sendable {
  public var status: Int
  /// The body, sent with `Content-Type: application/json` unless it is empty.
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

  /// Returns the success reply that each app expects.
  ///
  /// - Parameters:
  ///   - items: friends, alarms and commands for OwnTracks; not sent to other apps.
  ///   - pointID: the number that PhoneTrack clients get for the point they sent; `deviceID` is that of the
  ///     device.
  public static func stored(
    _ report: PhoneReport, items: [OwnTracksItem] = [], pointID: Int64 = 1, deviceID: Int64 = 1
  ) -> Self {
    let ok = JSONValue.object([("result", .string("ok"))])
    if report.isOverlandAsOwnTracks { return Self(ok) }
    switch report.endpoint {
    case .owntracks: return Self(body: OwnTracksItem.encode(items))
    case .logOwnTracks:
      // PhoneTrack replies this to a message without a position.
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

  /// Returns Overland's reply, with new settings for the phone and a place name for its screen.
  /// - Parameter place: "Near Cliff edge".
  public static func overland(set settings: OverlandSettings = OverlandSettings(), place: String? = nil)
    -> Self
  {
    var members: [(String, JSONValue)] = [("result", .string("ok"))]
    if let place { members.append(("geocode", .object([("full_name", .string(place))]))) }
    if !settings.isEmpty { members.append(("set", settings.json)) }
    return Self(.object(members))
  }

  /// Returns the reply to wrong credentials: 401, but ``notNow`` for OwnTracks, which on iOS would discard
  /// the message on a 401. It then retries until the password is corrected.
  public static func wrongCredentials(at endpoint: PhoneEndpoint) -> Self {
    endpoint.isOwnTracks ? notNow : Self(status: 401)
  }

  /// The reply if nothing could be stored: the phone keeps its data and tries again after 60 s.
  public static let notNow = Self(status: 503, retryAfter: 60)
}
