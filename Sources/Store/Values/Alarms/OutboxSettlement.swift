import AlarmEngine

/// The outcome of a lease.
public struct OutboxSettlement: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// The item is done, successfully or not, and is removed.
    case done
    /// The item is due again.
    case again(at: Instant)
  }
  public let lease: OutboxLease
  public let outcome: Outcome
  /// The attempt to record with the alarm; nil for an item that is not about an alarm.
  public let attempt: DeliveryAttempt?

  public init(lease: OutboxLease, outcome: Outcome, attempt: DeliveryAttempt?) {
    self.lease = lease
    self.outcome = outcome
    self.attempt = attempt
  }
}
