import AlarmEngine

/// How often something may be tried, and by whom: a bucket that holds `burst` tries and is refilled one by one.
public struct TryBucket: Hashable, Sendable {
  /// Of what is tried and by whom, so that the store does not say where people are.
  public let key: TokenHash
  /// At least 1.
  public let burst: Int
  /// Until one try comes back; at least a millisecond.
  public let refill: TimeSpan

  /// Smaller values than are allowed count as the smallest.
  public init(key: TokenHash, burst: Int, refill: TimeSpan) {
    self.key = key
    self.burst = max(1, burst)
    self.refill = max(refill, .milliseconds(1))
  }

  /// Until it is full again, when it is empty.
  var whole: TimeSpan { .milliseconds(refill.milliseconds * Int64(burst)) }
}

/// A bucket that was asked for a try and had none.
public struct TryRefusal: Hashable, Sendable {
  public let bucket: TryBucket
  /// Until it has one.
  public let wait: TimeSpan

  public init(bucket: TryBucket, wait: TimeSpan) {
    self.bucket = bucket
    self.wait = wait
  }
}
