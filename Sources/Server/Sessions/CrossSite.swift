import AlarmService
import Cryptography
import Delivery
import HTTPTypes
import Hummingbird

/// Prevents other sites from acting in a person's name (cross-site request forgery).
///
/// Three measures, each sufficient by itself: the cookie is SameSite=Lax; a browser's `Origin` and
/// `Sec-Fetch-Site` must be ours; and a request that changes data carries the session's own token in a header
/// that no form can set.
enum CrossSite {
  /// For routes that need no session.
  static func check(_ request: Request, _ origin: Origin) throws(Problem) {
    if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" {
      throw Problem(.crossSite, "Sec-Fetch-Site \(site.excerpt(60)) found, same-origin allowed")
    }
    if let given = request.headers[.origin], given.lowercased() != origin.text.lowercased() {
      throw Problem(.crossSite, "Origin \(given.excerpt(60)) found, \(origin.text) allowed")
    }
  }

  /// For changes by a person who is signed in by a cookie.
  static func check(_ request: Request, _ origin: Origin, of signed: Signed) throws(Problem) {
    guard case .session(_, let token) = signed.proof else { return }
    try check(request, origin)
    guard let given = request.headers[.csrfToken] else {
      throw Problem(.crossSite, "no X-CSRF-Token found; GET /api/v1/session returns it")
    }
    guard constantTimeEqual(Array(given.utf8), Array(token.utf8)) else {
      throw Problem(.crossSite, "X-CSRF-Token belongs to another session")
    }
  }
}
