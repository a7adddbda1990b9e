import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PayloadCrypto
import Store

/// Where phones' apps report to: the paths of OwnTracks, Overland, Traccar, OsmAnd, GPSLogger and PhoneTrack.
///
/// What is acknowledged is on the disk. Data that could be kept is never refused with 4xx, since some phones throw
/// away what is.
struct PhoneRoutes: Sendable {
  /// Of one request; a day of fixes is some 2 MB.
  static let maximumBytes = 8 << 20

  private static let paths: [String] = {
    let log = ["owntracks", "overland", "traccar", "osmand", "gpslogger", "locusmap", "opengts"]
    let phoneTrack =
      ["/logGet", "/logPost", "/logPostMultiple"].map { $0 + "/{token}/{device}" }
      + log.map { "/log/\($0)/{token}/{device}" } + ["/log/ulogger/{token}/{device}/client/index.php"]
    let own = [
      "/pub", "/owntracks", "/owntracks/{token}", "/owntracks/{token}/{device}", "/overland",
      "/overland/{token}",
      "/overland/{token}/{device}", "/traccar", "/traccar/{token}", "/osmand/{token}",
      "/osmand/{token}/{device}",
      "/gpslogger/{token}", "/gpslogger/{token}/{device}",
    ]
    return own
      + ["", "/apps/phonetrack", "/index.php/apps/phonetrack"].flatMap { front in
        phoneTrack.map { front + $0 }
      }
  }()

  static let table: [Route] =
    paths.flatMap { path in
      [HTTPRequest.Method.get, .post, .put].map { method in
        Route(
          method: method, path: path, name: "phone", summary: "Reports of phones' apps",
          handler: .phone(take),
          answers: [], isDocumented: false, isCapability: true)
      }
    } + [
      // Traccar's own clients know only a host and a port.
      Route(
        method: .post, path: "/", name: "phone", summary: "Reports of Traccar's clients",
        handler: .phone(take),
        answers: [], isDocumented: false, isCapability: true)
    ]

  static func take(_ request: Request, _ context: AppContext, _ parts: ServerParts) async throws -> Response {
    let now = parts.clock.now()
    let body: [UInt8]
    do {
      body = try await RequestBody.collect(
        request, upTo: maximumBytes, within: parts.settings.idleTimeoutSeconds)
    } catch RequestBody.Refusal.tooSlow {
      // Nothing that a phone could take for a refusal: it still has the data.
      return response(.notNow)
    } catch let refusal as RequestBody.Refusal { throw refusal.problem }
    let phoneRequest = PhoneRequest(
      path: request.uri.path, query: request.uri.query ?? "",
      header: { name in HTTPField.Name(name).flatMap { request.headers[$0] } }, body: body, receivedAt: now)
    guard let phoneRequest else { throw Problem(.notFound, "no such address") }
    let reply: PhoneReply
    do {
      reply = try await answer(phoneRequest, parts)
    } catch {
      // The phone keeps what it has and tries again, whatever is the matter here.
      context.logger.error("ingest", metadata: ["error": "\(error)"])
      reply = .notNow
    }
    return response(reply)
  }

  static func response(_ reply: PhoneReply) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = reply.contentType
    if let seconds = reply.retryAfter { headers[.retryAfter] = String(seconds) }
    return Response(
      status: .init(code: reply.status), headers: headers,
      body: reply.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: reply.body)))
  }

  /// Who, what, one transaction, and what to say.
  private static func answer(_ request: PhoneRequest, _ parts: ServerParts) async throws -> PhoneReply {
    let report = PhoneReport.read(request)
    for _ in 0..<2 {
      let found = try await parts.phones.device(
        report.claim, request.credentials, at: request.endpoint, now: request.receivedAt)
      switch found {
      // Guesses are not slowed down by address: nobody guesses 256 bits, and phones share addresses.
      case .wrongCredentials: return .wrongCredentials(at: request.endpoint)
      case .nobody:
        try await keepWithoutDevice(request, parts)
        return .stored(report)
      case .device(let device):
        do {
          let report = try await opened(report, request, device, parts)
          let outcome = try await parts.ingest.submit(.report(deviceReport(report, request, device)))
          return try await parts.answers.reply(to: report, request, outcome)
        } catch is DeviceGone {
          // It was deleted since it was last here: found anew, or made.
          parts.phones.forget(device)
        }
      }
    }
    return .notNow
  }

  private static func keepWithoutDevice(_ request: PhoneRequest, _ parts: ServerParts) async throws {
    var batch = IngestBatch(at: request.receivedAt)
    batch.rawBodies = [raw(request, nil, "as many unclaimed devices as may be are there")]
    try await parts.store.record(batch)
  }

  private static func raw(_ request: PhoneRequest, _ device: DeviceID?, _ reason: String) -> RawBody {
    let body = request.body.isEmpty ? Array(request.query.utf8) : request.body
    return RawBody(
      device: device, receivedAt: request.receivedAt, source: request.endpoint.rawValue, reason: reason,
      body: body)
  }

  /// What is inside of an encrypted message; where the device's key does not open it, the bytes are kept.
  private static func opened(
    _ report: PhoneReport, _ request: PhoneRequest, _ device: DeviceID, _ parts: ServerParts
  ) async throws -> PhoneReport {
    var sealed: [UInt8]?
    for case .sealed(let box) in report.messages { sealed = box }
    guard let sealed else { return report }
    let passphrase = try await parts.store.device(device).passphrase
    if let passphrase, let key = try? PayloadKey(passphrase: passphrase), let inside = key.open(sealed) {
      var request = request
      request.body = inside
      return PhoneReport.read(request)
    }
    var kept = report
    kept.issues.append(
      ReadIssue(.error, "the message is encrypted, and the device's key does not open it"))
    kept.messages.append(.unreadable)
    return kept
  }

  static func deviceReport(_ report: PhoneReport, _ request: PhoneRequest, _ device: DeviceID) -> DeviceReport
  {
    var taken = DeviceReport(device: device, fixes: report.fixes.map(\.stored))
    if report.needsRawBody {
      let reason = report.issues.first { $0.severity == .error }?.message ?? "of an unknown kind"
      taken.rawBodies = [raw(request, device, reason.excerpt(500))]
    }
    taken.wantsDistance = report.endpoint == .overland || report.endpoint == .logOverland
    return taken
  }
}

extension ReportedFix {
  /// With what else the phone said.
  var stored: StoredFix {
    var members: [(String, JSONValue)] = []
    if timeBasis == .arrival { members.append(("time_basis", .string("arrival"))) }
    if case .dilution(let hdop) = accuracyBasis { members.append(("hdop", .number(hdop))) }
    if let height = details.verticalAccuracy {
      members.append(("vertical_accuracy_m", .number(height.metres)))
    }
    if let satellites = details.satellites { members.append(("satellites", .integer(Int64(satellites)))) }
    if let charging = details.state.isCharging { members.append(("is_charging", .bool(charging))) }
    if !details.state.motion.isEmpty {
      members.append(("motion", .array(details.state.motion.map { .string($0) })))
    }
    if !details.regions.isEmpty { members.append(("regions", .array(details.regions.map { .string($0) }))) }
    if let alarm = details.state.alarm { members.append(("alarm", .string(alarm))) }
    if details.state.isMock == true { members.append(("is_mock", .bool(true))) }
    members += details.state.attributes.prefix(50).map { ($0.name, .string(String($0.value.prefix(500)))) }
    return StoredFix(
      fix, altitude: details.altitude, battery: details.state.battery,
      detail: members.isEmpty ? nil : JSONValue.object(members).text)
  }
}
