import AlarmEngine

/// The times at which a failed delivery is tried again: exponential back-off with full jitter, with a limit
/// for each wait and in total.
///
/// Full jitter: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog (2015). The random
/// numbers come from a seed, so that a stored schedule can be computed again.
public struct RetrySchedule: Hashable, Sendable {
  /// The upper limit of the first wait. It doubles with each later one.
  public let base: TimeSpan
  /// The longest wait, even if more is asked for.
  public let longest: TimeSpan
  /// The time from the first attempt after which a delivery is given up (F9: 24 h).
  public let horizon: TimeSpan

  /// - Precondition: 0 < base <= longest <= horizon.
  public init(
    base: TimeSpan = .seconds(2), longest: TimeSpan = .minutes(5), horizon: TimeSpan = .hours(24)
  ) {
    precondition(
      .zero < base && base <= longest && longest <= horizon,
      "a retry schedule has 0 < base <= longest <= horizon")
    self.base = base
    self.longest = longest
    self.horizon = horizon
  }

  /// Returns the time of the next attempt.
  /// - Parameters:
  ///   - failures: the number of failed attempts so far, at least 1.
  ///   - first: the time of the first attempt.
  ///   - asked: the least wait that the other side asked for; used up to `longest`.
  ///   - seed: the delivery's id. The same seed gives the same random number.
  /// - Returns: nil if the horizon is over: give up.
  public func next(
    after failures: Int, first: Instant, now: Instant, asked: TimeSpan? = nil, seed: UInt64
  ) -> Instant? {
    let doublings = min(max(failures, 1) - 1, 40)
    let limit =
      doublings < 31
      ? min(longest.milliseconds, base.milliseconds.multipliedOrMost(by: 1 << Int64(doublings)))
      : longest.milliseconds
    var state = seed &+ UInt64(truncatingIfNeeded: failures) &* 0x9e37_79b9_7f4a_7c15
    // SplitMix64's mixer (S. Vigna, 2015).
    state = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    state = (state ^ (state >> 27)) &* 0x94d0_49bb_1331_11eb
    state ^= state >> 31
    let drawn = Int64(state.multipliedFullWidth(by: UInt64(limit) + 1).high)
    let wait = max(drawn, min(asked?.milliseconds ?? 0, longest.milliseconds), 1)
    let at = now + .milliseconds(wait)
    return at - first <= horizon ? at : nil
  }
}

extension Int64 {
  /// Returns the product, or the largest number on overflow.
  fileprivate func multipliedOrMost(by factor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }
}
