import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Store

/// The routes to which phones' apps report: the paths of OwnTracks, Overland, Traccar, OsmAnd, GPSLogger and
/// PhoneTrack.
///
/// Acknowledged data is on the disk. Data that could be kept is never refused with a 4xx status, since some
/// phones then discard it; reports of a private account are refused, with 403. Requests without a valid token
/// are limited by address.
struct PhoneRoutes: Sendable {
  /// The largest body of a request; a day of fixes is about 2 MB.
  static let maximumBytes = 8 << 20
  /// The largest body of a request without a valid token in its address or header. A thousand positions of
  /// Overland are half of it.
  static let strangersBytes = 1 << 20

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
          method: method, path: path, name: "phone", summary: "Receives reports from phone apps",
          handler: .phone(take),
          answers: [], isDocumented: false, isCapability: true)
      }
    } + [
      // Traccar's clients know only a host and a port.
      Route(
        method: .post, path: "/", name: "phone", summary: "Receives reports from Traccar's clients",
        handler: .phone(take),
        answers: [], isDocumented: false, isCapability: true)
    ]

  static func take(_ request: Request, _ context: AppContext, _ parts: ServerParts) async throws -> Response {
    let now = parts.core.clock.now()
    guard var phone = phoneRequest(request, at: now) else { throw Problem(.notFound, "no such address") }
    let address = AddressBlock.household(
      of: Origin(request, peer: context.peer, settings: parts.core.settings).address)
    let reply: PhoneReply
    do {
      var isProven = false
      if let secret = phone.secret { isProven = try await parts.alarms.phones.token(secret, now: now) != nil }
      // Traccar's clients send their token in the body.
      if !isProven, phone.secret != nil || phone.endpoint.scheme != .traccar,
        let seconds = parts.accounts.limits.strangersReports.peek(address, at: now)
      {
        return response(.tooMany(at: phone.endpoint, seconds: seconds))
      }
      phone.body = try await RequestBody.collect(
        request, upTo: isProven ? maximumBytes : strangersBytes,
        within: parts.core.settings.idleTimeoutSeconds)
      reply = try await answer(phone, from: address, mayMake: request.method != .get, parts)
    } catch RequestBody.Refusal.tooSlow {
      // No status that a phone could take for a refusal, since it still has the data.
      reply = .notNow
    } catch let refusal as RequestBody.Refusal {
      throw refusal.problem
    } catch StoreError.privateAccount {
      throw Problem(StoreError.privateAccount) ?? Problem.notFound
    } catch StoreError.conflict {
      // Other processes were faster each time; this has been logged and counted at the point of detection.
      reply = PhoneReply(status: 503, retryAfter: 1)
    } catch {
      // The phone keeps its data and tries again, whatever the error.
      context.logger.error("ingest", metadata: ["error": "\(error)"])
      reply = .notNow
    }
    return response(reply)
  }

  /// The request as far as its head tells; its body is not read yet.
  private static func phoneRequest(_ request: Request, at now: Instant) -> PhoneRequest? {
    PhoneRequest(
      path: request.uri.path, query: request.uri.query ?? "",
      header: { name in HTTPField.Name(name).flatMap { request.headers[$0] } }, body: [], receivedAt: now)
  }

  static func response(_ reply: PhoneReply) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = reply.contentType
    if let seconds = reply.retryAfter { headers[.retryAfter] = String(seconds) }
    return Response(
      status: .init(code: reply.status), headers: headers,
      body: reply.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: reply.body)))
  }

  /// Handles a request: identifies the device, reads the report, stores it in one transaction, and makes the
  /// answer.
  private static func answer(
    _ request: PhoneRequest, from address: String, mayMake: Bool, _ parts: ServerParts
  ) async throws -> PhoneReply {
    let report = PhoneReport.read(request)
    let limits = parts.accounts.limits
    for _ in 0..<2 {
      let found = try await parts.alarms.phones.device(
        report.claim, request.credentials, at: request.endpoint, now: request.receivedAt,
        unclaimed: mayMake ? { limits.strangersDevices.take(address, at: request.receivedAt) } : nil)
      switch found {
      case .wrongCredentials:
        if let seconds = limits.strangersReports.take(address, at: request.receivedAt) {
          return .tooMany(at: request.endpoint, seconds: seconds)
        }
        return .wrongCredentials(at: request.endpoint)
      case .tooMany(let seconds): return .tooMany(at: request.endpoint, seconds: seconds)
      case .device(let device, let isProven):
        do {
          let read = try await self.report(report, request, device, isProven: isProven, parts.core.store)
          guard let read else { return .wrongCredentials(at: request.endpoint) }
          if !read.isProven, let seconds = slowDown(read.taken, from: address, request, limits) {
            return .tooMany(at: request.endpoint, seconds: seconds)
          }
          let outcome = try await parts.alarms.ingest.submit(.report(read.taken))
          return try await parts.alarms.answers.reply(
            to: read.report, request, outcome, isProven: read.isProven)
        } catch is DeviceGone {
          // The device was deleted since its last report. It is looked up again, or created.
          parts.alarms.phones.forget(device)
        }
      }
    }
    return .notNow
  }

  /// Limits reports that anybody could have sent, by address: their number, and the amount that is stored.
  private static func slowDown(
    _ report: DeviceReport, from address: String, _ request: PhoneRequest, _ limits: RateLimits
  ) -> Int? {
    if let seconds = limits.strangersReports.take(address, at: request.receivedAt) { return seconds }
    guard !report.fixes.isEmpty else { return nil }
    return limits.strangersFixes.take(address, cost: report.fixes.count, at: request.receivedAt)
  }
}
