import AlarmEngine

/// An item that one deliverer has for a while.
public struct OutboxLease: Hashable, Sendable {
  /// Of the item, in the order of arrival.
  public let number: Int64
  public let item: OutboxItem
  /// This one included, from 1. With `number` it names the lease: one that ran out settles nothing any more.
  public let attempt: Int
  public let leasedUntil: Instant

  public init(number: Int64, item: OutboxItem, attempt: Int, leasedUntil: Instant) {
    self.number = number
    self.item = item
    self.attempt = attempt
    self.leasedUntil = leasedUntil
  }
}
