import AlarmEngine
import Cryptography
import NIOConcurrencyHelpers
import Store

/// The limits for signing in and for sending mail. They are counted in the store, so that they hold for all
/// processes of a database together and survive a restart.
///
/// Requests and strangers' reports are limited by each process for itself (`RateLimiter`): those limits
/// protect the process, and a write for each request would cost more than the request.
package final class SharedLimits: Sendable {
  /// The kind of action that is limited.
  package enum Kind: String, Sendable {
    /// Wrong passwords for an account: from all addresses that have never signed in to it, and from each
    /// address that has.
    case login, loginKnown
    case loginAddress
    /// Wrong passwords of a person who is signed in.
    case proof
    case setUp
    case channelTest
    case mail
    case confirmation
    case resetOrigin, resetAccount
    case alarmMail

    var limit: RateLimit {
      switch self {
      case .login, .loginKnown, .proof, .channelTest: .loginPerAccount
      case .loginAddress: .loginPerAddress
      case .setUp: .setUpPerAddress
      case .mail: .mailsPerAccount
      case .confirmation: .confirmationsPerAddress
      case .resetOrigin: .resetsPerOrigin
      case .resetAccount: .resetsPerAccount
      case .alarmMail: .alarmMails
      }
    }
  }

  /// One attempt of a kind. The key identifies who makes it, for example an account or an address.
  package typealias Try = (kind: Kind, key: String)

  private let store: SQLStore
  private let key: [UInt8]
  /// True if all limits are off: nothing is counted or refused.
  private let isLifted: Bool
  /// The time until which the store would refuse each key. Repeated attempts meanwhile cost no transactions.
  private let refused = NIOLockedValueBox<[TokenHash: Instant]>([:])
  private let capacity: Int

  /// - Parameter capacity: the number of refusals kept in memory. Forgetting one costs a query of the store.
  package init(
    store: SQLStore, isLifted: Bool = false, capacity: Int = 10_000
  ) async throws(StoreError) {
    self.store = store
    self.isLifted = isLifted
    self.capacity = capacity
    key = try await store.serverValue("limits-key", orElse: Secrets.randomBytes())
  }

  /// Takes one attempt from each limit in order and stops at the first that has none left. Attempts taken
  /// before that stay taken.
  /// - Returns: nil if it is allowed, else the seconds until the next attempt is.
  package func take(_ tries: [Try], at now: Instant) async throws(StoreError) -> Int? {
    if isLifted { return nil }
    let buckets = tries.map { bucket($0) }
    let known = refused.withLockedValue { refused in
      buckets.compactMap { bucket -> TimeSpan? in
        guard let until = refused[bucket.key], until > now else { return nil }
        // A longer wait than the limit's maximum means that the clock was set back.
        return until - now <= bucket.refill ? until - now : nil
      }.max()
    }
    if let known { return Self.seconds(known) }
    guard let refusal = try await store.takeTries(buckets, at: now) else { return nil }
    refused.withLockedValue { refused in
      if refused.count >= capacity { refused = refused.filter { $0.value > now } }
      if refused.count >= capacity { refused.removeAll() }
      refused[refusal.bucket.key] = now + refusal.wait
    }
    return Self.seconds(refusal.wait)
  }

  /// Returns the attempts that were taken, since they were not wrong.
  package func giveBack(_ tries: [Try], at now: Instant) async throws(StoreError) {
    if isLifted { return }
    let buckets = tries.map { bucket($0) }
    try await store.giveBackTries(buckets, at: now)
    refused.withLockedValue { refused in for bucket in buckets { refused[bucket.key] = nil } }
  }

  /// The number of refusals in memory.
  var refusals: Int { refused.withLockedValue { $0.count } }

  private static func seconds(_ wait: TimeSpan) -> Int { max(1, Int(wait.seconds.rounded(.up))) }

  private func bucket(_ asked: Try) -> TryBucket {
    let text = Array("\(asked.kind.rawValue) \(asked.key)".utf8)
    let limit = asked.kind.limit
    return TryBucket(
      key: TokenHash(HMAC.sha256(text, key: key)), burst: limit.burst,
      refill: limit.refill)
  }
}
