/// All the server's limits on how often.
final class RateLimits: Sendable {
  let loginByAccount = RateLimiter(.loginPerAccount)
  let loginByAddress = RateLimiter(.loginPerAddress)
  let setUp = RateLimiter(.setUpPerAddress)
  let anonymous = RateLimiter(.anonymousPerAddress)
  let account = RateLimiter(.perAccount)
  let channelTests = RateLimiter(.loginPerAccount)
  let wrongTokens = RateLimiter(.loginPerAddress)
}
