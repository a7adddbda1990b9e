import AlarmEngine
import Testing

@testable import AlarmService
@testable import Server

@Suite("Rate limiter")
struct RateLimiterTests {
  private let start = TestServer.start

  @Test func `allows a burst, then one for each refill`() {
    let limiter = RateLimiter(RateLimit(burst: 3, refill: .seconds(10)))
    for _ in 0..<3 { #expect(limiter.take("a", at: start) == nil) }
    #expect(limiter.take("a", at: start) == 10)
    #expect(limiter.take("a", at: start + .seconds(4)) == 6)
    #expect(limiter.take("b", at: start) == nil)
    #expect(limiter.take("a", at: start + .seconds(10)) == nil)
    #expect(limiter.take("a", at: start + .seconds(10)) == 10)
    for _ in 0..<3 { #expect(limiter.take("a", at: start + .seconds(1000)) == nil) }
    #expect(limiter.take("a", at: start + .seconds(1000)) != nil)
  }

  @Test func `a clock set back neither gives nor takes`() {
    let limiter = RateLimiter(RateLimit(burst: 1, refill: .seconds(10)))
    #expect(limiter.take("a", at: start) == nil)
    #expect(limiter.take("a", at: start - .hours(1)) == 10)
    #expect(limiter.take("a", at: start + .seconds(10)) == nil)
  }

  @Test func `holds no more keys than its capacity, the busiest longest`() {
    let limiter = RateLimiter(RateLimit(burst: 2, refill: .seconds(1000)), capacity: 10)
    for index in 0..<1000 {
      #expect(limiter.take("key \(index)", at: start + .milliseconds(Int64(index))) == nil)
    }
    #expect(limiter.count == 10)
    #expect(limiter.take("key 999", at: start + .seconds(1)) == nil)
    #expect(limiter.take("key 999", at: start + .seconds(1)) != nil)
  }

  @Test func `a peek takes nothing`() {
    let limiter = RateLimiter(RateLimit(burst: 1, refill: .seconds(10)))
    for _ in 0..<5 { #expect(limiter.peek("a", at: start) == nil) }
    _ = limiter.take("a", at: start)
    #expect(limiter.peek("a", at: start) == 10)
  }

  @Test func `a bucket that a clock ahead has emptied is refilled once the clock is right`() {
    let limiter = RateLimiter(RateLimit(burst: 2, refill: .seconds(10)))
    let now = Instant(millisecondsSince1970: 1_790_000_000_000)
    for _ in 0..<2 { #expect(limiter.take("a", at: now + .hours(2)) == nil) }
    #expect(limiter.take("a", at: now) == 10)
    #expect(limiter.take("a", at: now + .seconds(10)) == nil)
    #expect(limiter.take("a", at: now + .seconds(15)) == 5)
    #expect(limiter.take("a", at: now + .seconds(20)) == nil)
  }
}
