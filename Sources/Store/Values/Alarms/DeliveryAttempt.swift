import AlarmEngine

/// One try to bring one alarm to one channel, and what came of it.
public struct DeliveryAttempt: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The receiver took it.
    case delivered
    /// It did not; there will be another try.
    case failed
    /// It refused for good, or the tries are used up.
    case rejected
    /// Taken back from the receiver.
    case withdrawn
    /// A person was shown it, or touched it, as the receiver says.
    case seen
  }
  public let alarm: AlarmID
  public let channel: ChannelID
  /// From 1.
  public let attempt: Int
  public let startedAt: Instant
  public let endedAt: Instant
  public let outcome: Outcome
  /// For people: the receiver's answer, without secrets.
  public let detail: String

  public init(
    alarm: AlarmID, channel: ChannelID, attempt: Int, startedAt: Instant, endedAt: Instant, outcome: Outcome,
    detail: String
  ) {
    self.alarm = alarm
    self.channel = channel
    self.attempt = attempt
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.detail = detail
  }
}
