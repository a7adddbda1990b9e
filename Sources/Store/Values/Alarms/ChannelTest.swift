import AlarmEngine

/// A test that a channel is sent every day, so that one that broke is noticed before an alarm needs it.
public struct DailyTest: Hashable, Sendable {
  /// Minutes after midnight by the clock of the account's time zone, 0...1439.
  public let minute: Int
  /// When the next test is due.
  public let nextAt: Instant

  public init(minute: Int, nextAt: Instant) {
    self.minute = minute
    self.nextAt = nextAt
  }
}

/// What came of a channel's test.
public struct ChannelTest: Hashable, Sendable {
  public let at: Instant
  /// Why it did not arrive, in words for people; nil if it did.
  public let failure: String?

  public init(at: Instant, failure: String?) {
    self.at = at
    self.failure = failure
  }
}
