import AlarmEngine
import Cryptography
import NIOConcurrencyHelpers
import Store

/// The limits of signing in and of sending mail. They are counted in the store, so that they hold for all processes of a
/// database together, and a restart forgets no try.
///
/// Requests and strangers' reports are limited by each process for itself (`RateLimiter`): those limits protect the
/// process, and a write for each request would cost more than the request.
package final class SharedLimits: Sendable {
  /// What is limited.
  package enum Kind: String, Sendable {
    /// Wrong passwords for an account, from addresses that nobody has signed in to it from; and from each of the others.
    case login, loginKnown
    case loginAddress
    /// Wrong passwords of somebody who is signed in.
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

  /// Of one kind, by whoever the key names.
  package typealias Try = (kind: Kind, key: String)

  private let store: SQLStore
  private let key: [UInt8]
  /// Counts nothing and refuses nothing.
  private let isLifted: Bool
  /// Until when the store would refuse: whoever tries on and on costs no more transactions than are allowed tries.
  private let refused = NIOLockedValueBox<[TokenHash: Instant]>([:])
  private let capacity: Int

  /// - Parameter capacity: so many refusals are remembered; forgetting one costs a question to the store.
  package init(
    store: SQLStore, isLifted: Bool = false, capacity: Int = 10_000
  ) async throws(StoreError) {
    self.store = store
    self.isLifted = isLifted
    self.capacity = capacity
    key = try await store.serverValue("limits-key", orElse: Secrets.randomBytes())
  }

  /// Takes one try of each, in their order, until one has none left. What was taken before stays taken.
  /// - Returns: nil where it is allowed, else the seconds until the next one is.
  package func take(_ tries: [Try], at now: Instant) async throws(StoreError) -> Int? {
    if isLifted { return nil }
    let buckets = tries.map { bucket($0) }
    let known = refused.withLockedValue { refused in
      buckets.compactMap { bucket -> TimeSpan? in
        guard let until = refused[bucket.key], until > now else { return nil }
        // Longer than it was told at most: the clock was set back.
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

  /// Gives a try of each back: it was no wrong one.
  package func giveBack(_ tries: [Try], at now: Instant) async throws(StoreError) {
    if isLifted { return }
    let buckets = tries.map { bucket($0) }
    try await store.giveBackTries(buckets, at: now)
    refused.withLockedValue { refused in for bucket in buckets { refused[bucket.key] = nil } }
  }

  /// So many are remembered.
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
