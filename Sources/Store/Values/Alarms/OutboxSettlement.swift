import AlarmEngine

/// What became of a lease.
public struct OutboxSettlement: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// For better or worse: the item is forgotten.
    case done
    /// The item is due again.
    case again(at: Instant)
  }
  public let lease: OutboxLease
  public let outcome: Outcome
  /// To be noted with its alarm; nil for an item about none.
  public let attempt: DeliveryAttempt?

  public init(lease: OutboxLease, outcome: Outcome, attempt: DeliveryAttempt?) {
    self.lease = lease
    self.outcome = outcome
    self.attempt = attempt
  }
}
