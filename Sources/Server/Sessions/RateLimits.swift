import AlarmService

/// All the server's limits on how often.
final class RateLimits: Sendable {
  let loginByAccount: RateLimiter
  let loginByKnownAddress: RateLimiter
  let loginByAddress: RateLimiter
  /// Wrong passwords of somebody who is signed in.
  let proofs: RateLimiter
  let setUp: RateLimiter
  let anonymous: RateLimiter
  let account: RateLimiter
  let channelTests: RateLimiter
  let mails: RateLimiter
  let confirmations: RateLimiter
  let resetsByOrigin: RateLimiter
  let resetsByAccount: RateLimiter
  let alarmMails: RateLimiter
  let strangersReports: RateLimiter
  let strangersFixes: RateLimiter
  let strangersDevices: RateLimiter
  let wrongTokens: RateLimiter

  init(_ settings: ServerSettings) {
    func limiter(_ limit: RateLimit) -> RateLimiter {
      RateLimiter(limit, isLifted: settings.liftsRateLimits)
    }
    loginByAccount = limiter(.loginPerAccount)
    loginByKnownAddress = limiter(.loginPerAccount)
    loginByAddress = limiter(.loginPerAddress)
    proofs = limiter(.loginPerAccount)
    setUp = limiter(.setUpPerAddress)
    anonymous = limiter(.anonymous(perSecond: settings.requestsPerSecond))
    account = limiter(.account(perSecond: settings.requestsPerSecond))
    channelTests = limiter(.loginPerAccount)
    mails = limiter(.mailsPerAccount)
    confirmations = limiter(.confirmationsPerAddress)
    resetsByOrigin = limiter(.resetsPerOrigin)
    resetsByAccount = limiter(.resetsPerAccount)
    alarmMails = limiter(.alarmMails)
    strangersReports = limiter(.strangersReports)
    strangersFixes = limiter(.strangersFixes)
    strangersDevices = limiter(.strangersDevices)
    wrongTokens = limiter(.loginPerAddress)
  }
}
