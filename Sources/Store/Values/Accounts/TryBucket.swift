import AlarmEngine

/// A rate limit for one kind of attempt by one person: a bucket that holds `burst` attempts and is refilled
/// one by one.
public struct TryBucket: Hashable, Sendable {
  /// A hash of the kind of attempt and its author. Hashing keeps network addresses out of the store.
  public let key: TokenHash
  /// At least 1.
  public let burst: Int
  /// The time until one attempt is returned; at least one millisecond.
  public let refill: TimeSpan

  /// Values below the minimum are raised to it.
  public init(key: TokenHash, burst: Int, refill: TimeSpan) {
    self.key = key
    self.burst = max(1, burst)
    self.refill = max(refill, .milliseconds(1))
  }

  /// The time until an empty bucket is full again.
  var whole: TimeSpan { .milliseconds(refill.milliseconds * Int64(burst)) }
}

/// The refusal of an attempt because its bucket is empty.
public struct TryRefusal: Hashable, Sendable {
  public let bucket: TryBucket
  /// The time until the bucket has an attempt again.
  public let wait: TimeSpan

  public init(bucket: TryBucket, wait: TimeSpan) {
    self.bucket = bucket
    self.wait = wait
  }
}
