import AlarmService
import Delivery
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Store

/// Applies the rules common to all requests: limits on the head, security headers, problem documents for all
/// errors, the access log and the metrics.
struct EdgeMiddleware: RouterMiddleware {
  typealias Context = AppContext
  let settings: ServerSettings
  let metrics: Metrics
  let addresses: Addresses
  /// Serves the files at the addresses that no other route has.
  let page: StaticFiles?
  private let hardening: [HTTPField]

  init(settings: ServerSettings, metrics: Metrics, addresses: Addresses, page: StaticFiles?) {
    self.settings = settings
    self.metrics = metrics
    self.addresses = addresses
    self.page = page
    hardening = Self.hardening(settings)
  }

  func handle(
    _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let origin = Origin(request, peer: context.peer, settings: settings)
    var response: Response
    var missed: Addresses.Address?
    do {
      try Self.checkHead(request)
      let preflight = request.method == .options ? preflight(request) : nil
      if let preflight { response = preflight } else { response = try await next(request, context) }
    } catch let error as HTTPError where error.status == .notFound {
      // The router has no such method at this address, or no such address.
      missed = knownAddress(of: request)
      response =
        (missed.map { Self.refusal(of: request.method, at: $0) } ?? Problem(.notFound, "no such address"))
        .response
    } catch {
      response = problem(from: error, context).response
    }
    harden(&response.headers, isSecure: origin.isSecure)
    AppOrigins.open(&response.headers, to: request)
    if request.uri.path == Self.packWorker {
      response.headers[.contentSecurityPolicy] = Self.packWorkerPolicy(pageOrigins: settings.allowedOrigins)
    } else if request.uri.path == Self.serviceWorker {
      response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy(
        pageOrigins: settings.allowedOrigins, alsoAsking: " https:")
    }
    response.headers[.requestID] = context.logger[metadataKey: "hb.request.id"]?.description
    let took = ContinuousClock.now - start
    tell(request, missed?.path ?? context.endpointPath ?? "none", context, response, origin, took)
    return response
  }

  private static func checkHead(_ request: Request) throws(Problem) {
    if let refusal = request.headers[.refusal] {
      throw Problem(
        refusal == HTTP1Manners.Refusal.transferCoding.rawValue ? .notImplemented : .malformed, refusal)
    }
    let address = request.head.path?.utf8.count ?? 0
    guard address <= ServerSettings.maximumAddressBytes else {
      throw Problem(
        .addressTooLong, "\(address) bytes found, \(ServerSettings.maximumAddressBytes) allowed")
    }
    var bytes = 0
    for field in request.headers { bytes += field.name.rawName.utf8.count + field.value.utf8.count }
    guard bytes <= ServerSettings.maximumHeaderBytes else {
      throw Problem(.headersTooLarge, "\(bytes) bytes found, \(ServerSettings.maximumHeaderBytes) allowed")
    }
  }

  private func preflight(_ request: Request) -> Response? {
    AppOrigins.preflight(request, methods: addresses.address(of: request.uri.path)?.methods)
  }

  /// The address, if it exists and lacks the request's method; else nil.
  private func knownAddress(of request: Request) -> Addresses.Address? {
    let path = request.uri.path
    guard let address = addresses.address(of: path), !address.methods.contains(request.method.rawValue)
    else { return nil }
    let isFile = page?.entry(at: path) != nil
    return address.path == PageRoutes.anyFile && !isFile ? nil : address
  }

  private static func refusal(of method: HTTPRequest.Method, at address: Addresses.Address) -> Problem {
    let names = address.methods.sorted()
    return Problem(
      .methodNotAllowed, "\(method.rawValue.excerpt(20)) found, \(names.joined(separator: ", ")) allowed",
      allowedMethods: names)
  }

  private func problem(from error: any Error, _ context: AppContext) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case is DeviceGone: return .notFound
    case let overload as IngestOverload:
      return Problem(
        .unavailable, "the server is overloaded: more reports arrive than can be stored",
        retryAfterSeconds: overload.retryAfterSeconds)
    case let error as StoreError:
      if let problem = Problem(error) {
        if problem.kind.status.code >= 500 { context.logger.error("store", metadata: ["error": "\(error)"]) }
        return problem
      }
      context.logger.critical("store", metadata: ["error": "\(error)"])
      return Problem(.failure, "the store failed; the server's log has the reason")
    case let error as any HTTPResponseError where error.status.code < 500:
      return Problem(.malformed, "\(error)")
    case is PasswordHasher.Failure:
      return Problem(.unavailable, "too many sign-ins at once", retryAfterSeconds: 1)
    case is CancellationError:
      return Problem(.unavailable, "the server is shutting down", retryAfterSeconds: 5)
    default:
      // Only the type: descriptions of errors may contain users' data.
      context.logger.error("failed", metadata: ["error": "\(type(of: error))"])
      context.logger.debug("failed", metadata: ["error": "\(error)"])
      return Problem(.failure, "the server failed; its log names the request")
    }
  }

  /// The page's policy: it loads nothing from elsewhere and cannot be framed.
  ///
  /// - Parameter pageOrigins: further origins that the operator allows, for map tiles, places and pictures of
  ///   notices.
  static func contentSecurityPolicy(pageOrigins: [String], alsoAsking: String = "") -> String {
    let others = pageOrigins.map { " " + $0 }.joined()
    return [
      "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
      "img-src 'self' data: blob:" + others, "font-src 'self'",
      "connect-src 'self' blob:" + others + alsoAsking,
      "media-src 'self' blob:", "worker-src 'self' blob:", "manifest-src 'self'", "form-action 'self'",
      "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }

  /// The script of the thread that fetches signed packs of zones, from any server: it does nothing else and
  /// has no other data.
  static let packWorker = "/scripts/packs/pack-worker.js"

  /// The script that fetches followed packs while no page is open. Requests of the page it passes on to this
  /// server only.
  static let serviceWorker = "/service-worker.js"

  static func packWorkerPolicy(pageOrigins: [String]) -> String {
    "default-src 'none'; connect-src 'self' https:" + pageOrigins.map { " " + $0 }.joined()
  }

  /// Made once, since every answer has these headers.
  private static func hardening(_ settings: ServerSettings) -> [HTTPField] {
    [
      HTTPField(
        name: .contentSecurityPolicy, value: contentSecurityPolicy(pageOrigins: settings.allowedOrigins)),
      HTTPField(name: .xContentTypeOptions, value: "nosniff"),
      HTTPField(name: HTTPField.Name("Referrer-Policy")!, value: "same-origin"),
      HTTPField(name: HTTPField.Name("Cross-Origin-Opener-Policy")!, value: "same-origin"),
      HTTPField(name: HTTPField.Name("Cross-Origin-Resource-Policy")!, value: "same-origin"),
      HTTPField(name: HTTPField.Name("X-Frame-Options")!, value: "DENY"),
      HTTPField(
        name: HTTPField.Name("Permissions-Policy")!,
        value: "geolocation=(self), screen-wake-lock=(self), camera=(), microphone=(), payment=(), usb=()"),
    ]
  }

  private static let uncached = HTTPField(name: .cacheControl, value: "no-store")

  private func harden(_ headers: inout HTTPFields, isSecure: Bool) {
    for field in hardening {
      // Appended unchanged: setting a field by its name would validate its value again.
      if headers.contains(field.name) { headers[field.name] = field.value } else { headers.append(field) }
    }
    if !headers.contains(.cacheControl) { headers.append(Self.uncached) }
    if isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
  }

  /// Logs the route's pattern instead of the address, which may contain tokens and coordinates.
  private func tell(
    _ request: Request, _ route: String, _ context: AppContext, _ response: Response, _ origin: Origin,
    _ took: Duration
  ) {
    let seconds = took.inSeconds
    let status = response.status.code
    metrics.request(
      route: route, method: Self.known(request.method), status: status, seconds: seconds)
    // Frequent requests, the phones' reports and probes, are counted in the metrics.
    let isOrdinary = status < 400 && Self.frequent.contains(route)
    context.logger.log(
      level: isOrdinary ? .debug : .info, "request",
      metadata: [
        "method": "\(Self.known(request.method))", "route": "\(route)", "status": .stringConvertible(status),
        "took_us": .stringConvertible(Int(seconds * 1e6)), "address": "\(origin.address)",
      ])
  }

  private static let frequent: Set<String> = Set(
    ["/healthz", "/readyz", "/metrics"] + (PhoneRoutes.table + FixRoutes.table).map(\.path))

  /// A client may send any method name; the number of metric series must stay small.
  private static func known(_ method: HTTPRequest.Method) -> String {
    switch method {
    case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
    default: "other"
    }
  }
}
