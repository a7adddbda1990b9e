import AlarmService
import Formats
import HTTPTypes
import Hummingbird

/// The reason why a request failed, in the form of RFC 9457.
struct Problem: Error, Equatable, Sendable {
  let kind: Kind
  /// The value given and those allowed, for people.
  let detail: String
  var findings: [Finding] = []
  /// For `Retry-After`.
  var retryAfterSeconds: Int?
  /// For `Allow`.
  var allowedMethods: [String] = []
  /// For a range that lies outside: the size of the whole in bytes, for `Content-Range`.
  var wholeBytes: Int?

  init(
    _ kind: Kind, _ detail: String, findings: [Finding] = [], retryAfterSeconds: Int? = nil,
    allowedMethods: [String] = []
  ) {
    self.kind = kind
    self.detail = detail
    self.findings = findings
    self.retryAfterSeconds = retryAfterSeconds
    self.allowedMethods = allowedMethods
  }

  /// The stable name of a problem; its `type` is `/problems/` and the name. Names may be added, and never
  /// change.
  enum Kind: String, CaseIterable, Sendable {
    case malformed
    case invalidParameter = "invalid-parameter"
    case notSignedIn = "not-signed-in"
    case vouchedFor = "vouched-for"
    case wrongCredentials = "wrong-credentials"
    case secondFactorNeeded = "second-factor-needed"
    case forbidden
    case crossSite = "cross-site"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case tooSlow = "too-slow"
    case conflict
    case gone
    case stale
    case tooLarge = "too-large"
    case addressTooLong = "address-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case invalidContent = "invalid-content"
    case preconditionRequired = "precondition-required"
    case tooManyRequests = "too-many-requests"
    case headersTooLarge = "headers-too-large"
    case failure
    case notImplemented = "not-implemented"
    case unavailable
    case storageFull = "storage-full"
    case privateAccount = "private-account"
    case placesStored = "places-stored"

    var status: HTTPResponse.Status {
      switch self {
      case .malformed, .invalidParameter: .badRequest
      case .notSignedIn, .vouchedFor, .wrongCredentials, .secondFactorNeeded: .unauthorized
      case .forbidden, .crossSite, .privateAccount: .forbidden
      case .notFound: .notFound
      case .methodNotAllowed: .methodNotAllowed
      case .tooSlow: .requestTimeout
      case .conflict, .placesStored: .conflict
      case .gone: .gone
      case .stale: .preconditionFailed
      case .tooLarge: .contentTooLarge
      case .addressTooLong: .uriTooLong
      case .unsupportedMediaType: .unsupportedMediaType
      case .rangeNotSatisfiable: .rangeNotSatisfiable
      case .invalidContent: .unprocessableContent
      case .preconditionRequired: .preconditionRequired
      case .tooManyRequests: .tooManyRequests
      case .headersTooLarge: .requestHeaderFieldsTooLarge
      case .failure: .internalServerError
      case .notImplemented: .notImplemented
      case .unavailable: .serviceUnavailable
      case .storageFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
      }
    }

    var title: String {
      switch self {
      case .malformed: "The request cannot be read"
      case .invalidParameter: "A parameter is invalid"
      case .notSignedIn: "Sign in first"
      case .vouchedFor: "A proxy has signed you in; begin a session"
      case .wrongCredentials: "The name, password or token is wrong"
      case .secondFactorNeeded: "A code is needed in addition to the password"
      case .forbidden: "You are not allowed to do this"
      case .crossSite: "The request comes from another site or lacks its CSRF token"
      case .notFound: "Not found"
      case .methodNotAllowed: "The method is not allowed here"
      case .tooSlow: "The request took too long to arrive"
      case .conflict: "The request conflicts with existing data"
      case .gone: "No longer available"
      case .stale: "It was changed in the meantime"
      case .tooLarge: "The content is too large"
      case .addressTooLong: "The address is too long"
      case .unsupportedMediaType: "The content type is not supported"
      case .rangeNotSatisfiable: "The range is outside the content"
      case .invalidContent: "The content is invalid"
      case .preconditionRequired: "The revision is missing"
      case .tooManyRequests: "Too many requests"
      case .headersTooLarge: "The header fields are too large"
      case .failure: "The server failed"
      case .notImplemented: "The server does not support this"
      case .unavailable: "The server cannot do this now"
      case .storageFull: "The server's disk is full"
      case .privateAccount: "The account is private"
      case .placesStored: "The server still stores places of this account"
      }
    }
  }

  static let notFound = Problem(.notFound, "nothing at this address belongs to this account")

  /// Describes a body with invalid content.
  static func invalid(_ findings: [Finding]) -> Problem {
    let first = findings.first.map { $0.place.isEmpty ? $0.message : "\($0.place): \($0.message)" }
    return Problem(.invalidContent, first ?? "", findings: findings)
  }
  static func invalid(_ place: String, _ message: String) -> Problem {
    invalid([Finding(place: place, message: message)])
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", .string("/problems/\(kind.rawValue)")), ("title", .string(kind.title)),
      ("status", .integer(Int64(kind.status.code))), ("detail", .string(detail)),
    ]
    if !findings.isEmpty {
      let list = findings.map { finding in
        JSONValue.object([("place", .string(finding.place)), ("message", .string(finding.message))])
      }
      members.append(("findings", .array(list)))
    }
    return .object(members)
  }

  var response: Response {
    var headers = HTTPFields()
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    if let retryAfterSeconds { headers[.retryAfter] = String(retryAfterSeconds) }
    if let wholeBytes { headers[.contentRange] = "bytes */\(wholeBytes)" }
    if !allowedMethods.isEmpty { headers[.allow] = allowedMethods.joined(separator: ", ") }
    if kind == .notSignedIn || kind == .vouchedFor || kind == .wrongCredentials {
      headers[.wwwAuthenticate] = "Bearer realm=\"proximity\""
    }
    return Response(
      status: kind.status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: json.text)))
  }
}
