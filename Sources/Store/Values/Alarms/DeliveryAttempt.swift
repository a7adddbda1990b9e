import AlarmEngine

/// One attempt to notify a channel of an alarm, with its outcome.
public struct DeliveryAttempt: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The receiver accepted it.
    case delivered
    /// It failed and will be tried again.
    case failed
    /// The receiver refused for good, or there were too many attempts.
    case rejected
    /// The notification was withdrawn from the receiver.
    case withdrawn
    /// A person saw or touched the notification, as the receiver reports.
    case seen
  }
  public let alarm: AlarmID
  public let channel: ChannelID
  /// The number of the attempt, from 1.
  public let attempt: Int
  public let startedAt: Instant
  public let endedAt: Instant
  public let outcome: Outcome
  /// The receiver's answer without secrets, for people.
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
