import AlarmEngine
import NIOConcurrencyHelpers

/// How often somebody may try something: a bucket that holds `burst` tries and is refilled one by one.
package struct RateLimit: Sendable {
  let burst: Int
  /// Until one try comes back.
  let refill: TimeSpan

  /// Wrong passwords for one account, from all addresses that nobody has signed in to it from; and from each of the
  /// others. So a stranger's tries do not keep its owner out.
  package static let loginPerAccount = RateLimit(burst: 10, refill: .seconds(30))
  /// Wrong passwords from one address, for whatever account.
  package static let loginPerAddress = RateLimit(burst: 20, refill: .seconds(15))
  package static let setUpPerAddress = RateLimit(burst: 10, refill: .seconds(30))

  /// Reports without a good token, from one address: some phones of a household, each every few seconds.
  package static let strangersReports = RateLimit(burst: 120, refill: .seconds(1))
  /// Fixes in them. Strangers could fill a disk with them, some 100 bytes each.
  package static let strangersFixes = RateLimit(burst: 20_000, refill: .seconds(0.5))
  /// Devices that belong to nobody and that one address makes.
  package static let strangersDevices = RateLimit(burst: 20, refill: .minutes(1))

  /// Mails to whatever address.
  package static let mailsPerAccount = RateLimit(burst: 20, refill: .minutes(3))
  /// Mails that ask one address, for whatever account, whether it may be written to.
  package static let confirmationsPerAddress = RateLimit(burst: 3, refill: .minutes(20))
  /// Links for a new password, asked for from one address of the network, and for one account.
  package static let resetsPerOrigin = RateLimit(burst: 5, refill: .minutes(5))
  package static let resetsPerAccount = RateLimit(burst: 3, refill: .minutes(20))
  /// Mails of alarms through one channel. The first of an alarm always goes out.
  package static let alarmMails = RateLimit(burst: 30, refill: .minutes(2))

  /// Requests of one account: a page that runs wild must not starve the others.
  package static func account(perSecond: Int) -> Self {
    RateLimit(burst: 12 * perSecond, refill: .seconds(1 / Double(perSecond)))
  }
  /// Requests that nobody has signed, from one address: half as many.
  package static func anonymous(perSecond: Int) -> Self {
    RateLimit(burst: 6 * perSecond, refill: .seconds(2 / Double(perSecond)))
  }
}

/// Counts what one process is asked, by key, each kind in its own table.
///
/// Memory is bounded: of more than `capacity` keys those that are full again are forgotten, and if none is, the one
/// longest untouched. An attacker with many addresses can thus push out other entries, and gains no more than tries
/// from many addresses gain anyway.
package final class RateLimiter: Sendable {
  private struct Bucket {
    /// Tries left, at `at`.
    var tokens: Double
    var at: Instant
  }

  private let limit: RateLimit
  private let capacity: Int
  /// Counts nothing and refuses nothing.
  private let isLifted: Bool
  private let buckets = NIOLockedValueBox<[String: Bucket]>([:])

  package init(_ limit: RateLimit, capacity: Int = 10_000, isLifted: Bool = false) {
    self.limit = limit
    self.capacity = capacity
    self.isLifted = isLifted
  }

  /// Takes one try, or as many at once as something costs.
  /// - Parameter cost: what costs more than the bucket holds is allowed when it is full.
  /// - Returns: nil where it is allowed, else the seconds until the next one is.
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

  /// As `take`, but takes nothing.
  package func peek(_ key: String, at now: Instant) -> Int? {
    buckets.withLockedValue { buckets in
      let tokens = refilled(buckets[key], at: now).tokens
      return tokens >= 1 ? nil : max(1, Int(((1 - tokens) * limit.refill.seconds).rounded(.up)))
    }
  }

  package var count: Int { buckets.withLockedValue { $0.count } }

  private func refilled(_ bucket: Bucket?, at now: Instant) -> Bucket {
    guard let bucket else { return Bucket(tokens: Double(limit.burst), at: now) }
    // A bucket of the future was counted by a clock that was set back. It refills from now on.
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
