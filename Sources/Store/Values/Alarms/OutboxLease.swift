import AlarmEngine

/// An item that a worker may deliver for a limited time.
public struct OutboxLease: Hashable, Sendable {
  /// The time for which an item is leased: the longest wait for the messages of a lost process. A worker renews the leases of
  /// deliveries that take longer.
  public static let duration = TimeSpan.seconds(15)

  /// The number of the item, in the order of arrival.
  public let number: Int64
  public let item: OutboxItem
  /// The number of this attempt, from 1. With `number` it identifies the lease: one that ran out can no
  /// longer settle the item.
  public let attempt: Int
  public internal(set) var leasedUntil: Instant

  public init(number: Int64, item: OutboxItem, attempt: Int, leasedUntil: Instant) {
    self.number = number
    self.item = item
    self.attempt = attempt
    self.leasedUntil = leasedUntil
  }
}
