import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// Takes a request through the steps common to all routes: authentication, permission, validation,
/// idempotency. A route itself only calls one function and renders the result.
struct Dispatcher: Sendable {
  let parts: ServerParts

  /// Adds every route of the table.
  func register(_ table: [Route], on router: Router<AppContext>) {
    for (path, routes) in Dictionary(grouping: table, by: \.path) {
      let path = RouterPath(path)
      for route in routes {
        router.on(path, method: route.method) { request, context in
          try await respond(to: request, context: context, by: route)
        }
        guard route.method == .get else { continue }
        router.on(path, method: .head) { request, context in
          let response = try await respond(to: request, context: context, by: route)
          return response.createHeadResponse()
        }
      }
    }
  }

  func respond(to request: Request, context: AppContext, by route: Route) async throws -> Response {
    if case .phone(let handle) = route.handler { return try await handle(request, context, parts) }
    let origin = Origin(request, peer: context.peer, settings: parts.core.settings)
    let now = parts.core.clock.now()
    var signed: Signed?
    switch route.handler {
    case .anyone:
      if !route.isUnmetered, let seconds = parts.accounts.limits.anonymous.take(origin.address, at: now) {
        throw Problem(.tooManyRequests, "too many requests from this address", retryAfterSeconds: seconds)
      }
      if !route.isSafe, !route.isCapability, !AppOrigins.signsIn(request) {
        try CrossSite.check(request, origin)
      }
    case .account:
      let who = try await parts.accounts.sessions.signed(request, origin, at: now)
      if let seconds = parts.accounts.limits.account.take(who.account.description, at: now) {
        throw Problem(.tooManyRequests, "too many requests of this account", retryAfterSeconds: seconds)
      }
      if !route.isSafe { try CrossSite.check(request, origin, of: who) }
      signed = who
    case .phone: break
    }
    let query = try Self.parameters(of: request, by: route)
    let (json, bytes) = try await body(of: request, by: route)
    let call = Call(
      request: request, context: context, origin: origin, parts: parts, now: now, query: query, json: json,
      bytes: bytes)
    switch route.handler {
    case .anyone(let handle): return try await handle(call)
    case .phone(let handle): return try await handle(request, context, parts)
    case .account(let handle):
      guard let signed else { throw Problem(.notSignedIn, "no session") }
      let response = try await handle(call, signed)
      if AuditLog.notes(route) { await call.audit(route, signed) }
      return Self.unchanged(response, for: request) ?? response
    }
  }

  /// "Not modified", if the client has that revision.
  private static func unchanged(_ response: Response, for request: Request) -> Response? {
    guard response.status == .ok, request.method == .get || request.method == .head,
      let tag = response.headers[.eTag], let known = request.headers[.ifNoneMatch],
      EntityTag.list(known, contains: tag)
    else { return nil }
    var headers: HTTPFields = [.eTag: tag]
    headers[.cacheControl] = response.headers[.cacheControl]
    return Response(status: .notModified, headers: headers)
  }

  /// The parameters of the address, each as the JSON type of its schema.
  static func parameters(of request: Request, by route: Route) throws(Problem) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    var findings: [Finding] = []
    for (key, text) in request.uri.queryParameters {
      let name = String(key)
      guard let parameter = route.query.first(where: { $0.name == name }) else {
        if route.takesFurtherParameters { continue }
        let allowed = route.query.map(\.name)
        findings.append(
          Finding(
            place: name.excerpt(60),
            message: "unknown parameter found; allowed: "
              + (allowed.isEmpty ? "none" : allowed.joined(separator: ", "))))
        continue
      }
      guard values[name] == nil else {
        findings.append(Finding(place: name, message: "found twice, once allowed"))
        continue
      }
      let value = parameter.schema.value(ofText: String(text))
      findings += parameter.schema.findings(in: value, at: name)
      values[name] = value
    }
    for parameter in route.query where parameter.required && values[parameter.name] == nil {
      findings.append(Finding(place: parameter.name, message: "nothing found, but it is needed"))
    }
    guard findings.isEmpty else {
      throw Problem(
        .invalidParameter, "\(findings[0].place): \(findings[0].message)",
        findings: Array(findings.prefix(Schema.maximumFindings)))
    }
    return values
  }

  private func body(of request: Request, by route: Route) async throws -> (JSONValue, [UInt8]) {
    switch route.body {
    case .none: return (.null, [])
    case .json(let schema):
      try Self.checkType(of: request, among: ["application/json"])
      let bytes = try await collect(request, upTo: route.body.maximumBytes)
      let value = try Self.parse(bytes)
      let findings = schema.findings(in: value)
      guard findings.isEmpty else { throw Problem.invalid(findings) }
      return (value, [])
    case .bytes(let types, let maximum):
      try Self.checkType(of: request, among: types)
      return (.null, try await collect(request, upTo: maximum))
    }
  }

  static func parse(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
    // The parser accepts files in old encodings, but programs send UTF-8 (RFC 8259, 8.1).
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(.malformed, "bytes that are not UTF-8 found")
    }
    do { return try JSONValue.parse(bytes) } catch {
      throw Problem(.malformed, "no JSON: line \(error.line), byte \(error.offset): \(error.message)")
    }
  }

  private static func checkType(of request: Request, among types: [String]) throws(Problem) {
    let given = request.headers[.contentType] ?? ""
    let type = given.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard types.contains(type) || types.contains("*/*") && !type.isEmpty else {
      throw Problem(
        .unsupportedMediaType,
        "\(given.isEmpty ? "no Content-Type" : given.excerpt(60)) found, \(types.joined(separator: ", ")) allowed"
      )
    }
  }

  private func collect(_ request: Request, upTo maximum: Int) async throws -> [UInt8] {
    do {
      return try await RequestBody.collect(
        request, upTo: maximum, within: parts.core.settings.idleTimeoutSeconds)
    } catch let refusal as RequestBody.Refusal { throw refusal.problem }
  }
}

extension Schema {
  /// The value of a parameter's text. A text that does not fit the schema stays text, and is then refused.
  func value(ofText text: String) -> JSONValue {
    switch self {
    case .integer: Int64(text).map { .integer($0) } ?? .string(text)
    case .number:
      (try? JSONValue.parse(Array(text.utf8))).flatMap { $0.double == nil ? nil : $0 } ?? .string(text)
    case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .optional(let schema): schema.value(ofText: text)
    case .named(let name): name.schema.value(ofText: text)
    case .text, .words, .list, .object, .variants, .anyObject: .string(text)
    }
  }
}
