import AlarmEngine

/// Tries to sign in, and mails sent, counted for all processes of a database.
///
/// A crash may forget the last few.
public protocol TryStore: Sendable {
  /// Takes one try from each bucket, in their order, until one has none left. What was taken before stays taken.
  /// - Returns: nil where each had one.
  func takeTries(_ buckets: [TryBucket], at now: Instant) async throws(StoreError) -> TryRefusal?
  /// Gives one try back to each: it was no wrong one.
  func giveBackTries(_ buckets: [TryBucket], at now: Instant) async throws(StoreError)
}
