import AlarmEngine

/// A daily test of a channel, so that a broken channel is noticed before an alarm needs it.
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

/// The result of a channel's test.
public struct ChannelTest: Hashable, Sendable {
  public let at: Instant
  /// The reason for the failure, for people; nil if the test arrived.
  public let failure: String?

  public init(at: Instant, failure: String?) {
    self.at = at
    self.failure = failure
  }
}
