import HTTPTypes
import Hummingbird

/// Lets the page inside our own phone apps read this server's API from another origin (CORS, Fetch standard, 3.2).
///
/// The two origins are fixed, and no web page can have them: one has a host that no server has (RFC 6761), the other a
/// scheme that only the app answers. An answer may be read only where the request carried `Authorization`, or where it
/// is one of `withoutToken`: whoever signs in has no token yet. No cookie is allowed
/// (`Access-Control-Allow-Credentials` is never sent), and no answer is given away that a cookie has opened: the
/// operations of `withoutToken` look at no cookie and set none. One tells what any program may ask, the other gives
/// only what the login, the password and the code in its own body open; it is counted like any sign-in.
enum AppOrigins {
  /// The page's origin in the app for Android (`PageFiles.HOST`) and in that for iOS (`PageController.start`).
  static let all: Set<String> = ["https://proximity.invalid", "proximity://app"]

  static let logIn = "/api/v1/login/app"
  /// The operations whose answers an app may read without a token, as method and address.
  static let withoutToken: Set<String> = ["GET /api/v1/login", "POST \(logIn)"]

  private static let allowedHeaders = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key"
  private static let exposedHeaders = "Date, ETag, Idempotency-Replayed, Retry-After, X-Request-Id"
  /// The seconds for which a browser caches the preflight answer; Chromium accepts no more.
  private static let keptSeconds = "7200"

  /// The origin of the app that sends this request to the API; nil for any other request.
  private static func origin(of request: Request) -> String? {
    let origins = request.headers[values: .origin]
    guard request.uri.path.hasPrefix("/api/"), origins.count == 1, let origin = origins.first,
      all.contains(origin)
    else { return nil }
    return origin
  }

  /// The answer to a browser's preflight request for an app; nil for any other request.
  ///
  /// - Parameter methods: those of the address; nil if there is no such address.
  static func preflight(_ request: Request, methods: Set<String>?) -> Response? {
    guard request.method == .options, let methods, let origin = origin(of: request),
      request.headers[.accessControlRequestMethod] != nil
    else { return nil }
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowOrigin: origin,
        .accessControlAllowMethods: methods.sorted().joined(separator: ", "),
        .accessControlAllowHeaders: allowedHeaders, .accessControlMaxAge: keptSeconds, .vary: "Origin",
      ])
  }

  /// True if an app asks for one of the operations that need no token.
  static func signsIn(_ request: Request) -> Bool {
    origin(of: request) != nil && withoutToken.contains("\(request.method.rawValue) \(request.uri.path)")
  }

  /// Lets the app read an answer to a request that it made with a token, or to sign in.
  static func open(_ headers: inout HTTPFields, to request: Request) {
    guard let origin = origin(of: request), request.headers[.authorization] != nil || signsIn(request)
    else { return }
    headers[.accessControlAllowOrigin] = origin
    headers[.accessControlExposeHeaders] = exposedHeaders
    headers.append(HTTPField(name: .vary, value: "Origin"))
  }
}
