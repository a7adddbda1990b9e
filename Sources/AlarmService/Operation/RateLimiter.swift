import AlarmEngine
import NIOConcurrencyHelpers

/// A limit on attempts: a bucket that holds `burst` attempts and is refilled one by one.
package struct RateLimit: Sendable {
  let burst: Int
  /// The time until one attempt is refilled.
  let refill: TimeSpan

  /// Wrong passwords for one account: from all addresses that have never signed in to it together, and from
  /// each address that has. The attempts of a stranger therefore do not lock the owner out.
  package static let loginPerAccount = RateLimit(burst: 10, refill: .seconds(30))
  /// Wrong passwords from one address, for any account.
  package static let loginPerAddress = RateLimit(burst: 20, refill: .seconds(15))
  package static let setUpPerAddress = RateLimit(burst: 10, refill: .seconds(30))

  /// Reports without a good token, from one address: some phones of a household, each every few seconds.
  package static let strangersReports = RateLimit(burst: 120, refill: .seconds(1))
  /// Fixes in such reports. Strangers could fill a disk with them, some 100 bytes each.
  package static let strangersFixes = RateLimit(burst: 20_000, refill: .seconds(0.5))
  /// Unclaimed devices made from one address.
  package static let strangersDevices = RateLimit(burst: 20, refill: .minutes(1))

  /// Mails of one account to any address.
  package static let mailsPerAccount = RateLimit(burst: 20, refill: .minutes(3))
  /// Confirmation requests by mail to one address, for any account.
  package static let confirmationsPerAddress = RateLimit(burst: 3, refill: .minutes(20))
  /// Links for a new password, requested from one network address, and for one account.
  package static let resetsPerOrigin = RateLimit(burst: 5, refill: .minutes(5))
  package static let resetsPerAccount = RateLimit(burst: 3, refill: .minutes(20))
  /// Mails of alarms through one channel. The first mail of an alarm is always sent.
  package static let alarmMails = RateLimit(burst: 30, refill: .minutes(2))

  /// Requests of one account, so that a faulty page cannot starve the others.
  package static func account(perSecond: Int) -> Self {
    RateLimit(burst: 12 * perSecond, refill: .seconds(1 / Double(perSecond)))
  }
  /// Unauthenticated requests from one address: half as many.
  package static func anonymous(perSecond: Int) -> Self {
    RateLimit(burst: 6 * perSecond, refill: .seconds(2 / Double(perSecond)))
  }
}

/// Counts the requests to one process by key, each kind in its own table.
///
/// Memory is bounded: beyond `capacity` keys, those whose buckets are full again are forgotten, and if there
/// are none, the one that is longest untouched. An attacker with many addresses can thus remove other
/// entries, but gains no more attempts than many addresses give anyway.
package final class RateLimiter: Sendable {
  private struct Bucket {
    /// The attempts left at the time `at`.
    var tokens: Double
    var at: Instant
  }

  private let limit: RateLimit
  private let capacity: Int
  /// True if all limits are off: nothing is counted or refused.
  private let isLifted: Bool
  private let buckets = NIOLockedValueBox<[String: Bucket]>([:])

  package init(_ limit: RateLimit, capacity: Int = 10_000, isLifted: Bool = false) {
    self.limit = limit
    self.capacity = capacity
    self.isLifted = isLifted
  }

  /// Takes one attempt, or as many at once as a request costs.
  /// - Parameter cost: a cost above the bucket's size is allowed when the bucket is full.
  /// - Returns: nil if it is allowed, else the seconds until the next attempt is.
  package func take(_ key: String, cost: Int = 1, at now: Instant) -> Int? {
    if isLifted { return nil }
    return buckets.withLockedValue { buckets in
      var bucket = refilled(buckets[key], at: now)
      let needed = Double(min(max(cost, 1), limit.burst))
      guard bucket.tokens >= needed else {
        buckets[key] = bucket
        return max(1, Int(((needed - bucket.tokens) * limit.refill.seconds).rounded(.up)))
      }
      bucket.tokens -= needed
      if buckets[key] == nil, buckets.count >= capacity { makeRoom(&buckets, at: now) }
      buckets[key] = bucket
      return nil
    }
  }

  /// Returns the same as `take`, but takes nothing.
  package func peek(_ key: String, at now: Instant) -> Int? {
    buckets.withLockedValue { buckets in
      let tokens = refilled(buckets[key], at: now).tokens
      return tokens >= 1 ? nil : max(1, Int(((1 - tokens) * limit.refill.seconds).rounded(.up)))
    }
  }

  package var count: Int { buckets.withLockedValue { $0.count } }

  private func refilled(_ bucket: Bucket?, at now: Instant) -> Bucket {
    guard let bucket else { return Bucket(tokens: Double(limit.burst), at: now) }
    // A bucket from the future was counted before the clock was set back. It refills from now on.
    let passed = max(0, (now - bucket.at).seconds)
    let tokens = min(Double(limit.burst), bucket.tokens + passed / limit.refill.seconds)
    return Bucket(tokens: tokens, at: now)
  }

  private func makeRoom(_ buckets: inout [String: Bucket], at now: Instant) {
    buckets = buckets.filter { refilled($0.value, at: now).tokens < Double(limit.burst) }
    guard buckets.count >= capacity else { return }
    if let oldest = buckets.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) }) {
      buckets[oldest.key] = nil
    }
  }
}
