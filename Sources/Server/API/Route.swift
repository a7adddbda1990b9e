import Delivery
import Formats
import HTTPTypes
import Hummingbird

/// An entry of the table from which both the router and the OpenAPI document are made.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// "/api/v1/zones/{zone}".
  let path: String
  /// OpenAPI's operationId.
  let name: String
  let summary: String
  let handler: Handler
  var query: [Query] = []
  var headers: [Query] = []
  var body = Body.none
  var answers: [Answer]
  /// A repeated request with the same `Idempotency-Key` creates nothing and returns what the first one
  /// created.
  var isIdempotentByKey = false
  /// Left out of the OpenAPI document: pages for people.
  var isDocumented = true
  /// True if unknown parameters in the address are ignored: programs of others write it, and mail services
  /// add tracking parameters to links.
  var takesFurtherParameters = false
  /// True if its address is itself the permission, so that it may be called from any origin.
  var isCapability = false
  /// True if requests are not counted against an address: the page's files, of which one visit loads
  /// hundreds.
  var isUnmetered = false

  /// The permission required for a route, with its function.
  enum Handler: Sendable {
    case anyone(@Sendable (Call) async throws -> Response)
    /// A person who is signed in.
    case account(@Sendable (Call, Signed) async throws -> Response)
    /// A phone's app, which authenticates in its own way and sends a body of any format.
    case phone(@Sendable (Request, AppContext, ServerParts) async throws -> Response)
  }

  /// A parameter in the address or in the header.
  struct Query: Sendable {
    let name: String
    let schema: Schema
    let meaning: String
    var required = false
  }

  enum Body: Sendable {
    case none
    /// A required body, `application/json`.
    case json(Schema)
    /// A body of bytes, of one of these media types.
    case bytes([String], maximum: Int)

    var maximumBytes: Int {
      switch self {
      case .none: 0
      case .json: ServerSettings.maximumJSONBytes
      case .bytes(_, let maximum): maximum
      }
    }
  }

  struct Answer: Sendable {
    let status: HTTPResponse.Status
    let meaning: String
    var content: Content
    /// True if it has an ETag, for If-None-Match and If-Match.
    var hasETag = false

    enum Content: Sendable {
      case nothing
      case json(Schema, example: JSONValue?)
      case media([String])
    }
  }

  /// The names in braces.
  var pathParameters: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }
  var isSafe: Bool { method == .get || method == .head }
}

extension Route.Answer {
  static func json(
    _ schema: Schema, _ meaning: String, status: HTTPResponse.Status = .ok, example: JSONValue? = nil,
    hasETag: Bool = false
  ) -> Self {
    Self(status: status, meaning: meaning, content: .json(schema, example: example), hasETag: hasETag)
  }
  static func nothing(_ meaning: String) -> Self {
    Self(status: .noContent, meaning: meaning, content: .nothing)
  }
  static func media(_ types: [String], _ meaning: String, hasETag: Bool = false) -> Self {
    Self(status: .ok, meaning: meaning, content: .media(types), hasETag: hasETag)
  }
}
