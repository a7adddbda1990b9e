/// All the server's limits on how often.
final class RateLimits: Sendable {
  let loginByAccount = RateLimiter(.loginPerAccount)
  let loginByAddress = RateLimiter(.loginPerAddress)
  let setUp = RateLimiter(.setUpPerAddress)
  let anonymous: RateLimiter
  let account: RateLimiter
  let channelTests = RateLimiter(.loginPerAccount)
  let mails = RateLimiter(.mailsPerAccount)
  let strangersReports = RateLimiter(.strangersReports)
  let strangersFixes = RateLimiter(.strangersFixes)
  let strangersDevices = RateLimiter(.strangersDevices)
  let wrongTokens = RateLimiter(.loginPerAddress)

  init(_ settings: ServerSettings) {
    anonymous = RateLimiter(.anonymous(perSecond: settings.requestsPerSecond))
    account = RateLimiter(.account(perSecond: settings.requestsPerSecond))
  }
}
