import AlarmService
import Store

/// All rate limits of the server.
final class RateLimits: Sendable {
  /// The limits of sign-ins and outgoing mail, shared by all processes of a database. The others are limits
  /// of this process.
  let shared: SharedLimits
  let anonymous: RateLimiter
  let account: RateLimiter
  let strangersReports: RateLimiter
  let strangersFixes: RateLimiter
  let strangersDevices: RateLimiter
  let wrongTokens: RateLimiter

  init(_ settings: ServerSettings, store: SQLStore) async throws(StoreError) {
    shared = try await SharedLimits(store: store, isLifted: settings.liftsRateLimits)
    func limiter(_ limit: RateLimit) -> RateLimiter {
      RateLimiter(limit, isLifted: settings.liftsRateLimits)
    }
    anonymous = limiter(.anonymous(perSecond: settings.requestsPerSecond))
    account = limiter(.account(perSecond: settings.requestsPerSecond))
    strangersReports = limiter(.strangersReports)
    strangersFixes = limiter(.strangersFixes)
    strangersDevices = limiter(.strangersDevices)
    wrongTokens = limiter(.loginPerAddress)
  }
}
