import AlarmEngine

/// A reminder that people are told of because a phone is near one of its places (S207). Of each reminder and
/// phone the store keeps the latest.
public struct ReminderTelling: Hashable, Sendable {
  public let reminder: ReminderID
  public let account: AccountID
  public let device: DeviceID
  public let at: Instant
  /// The name of the nearest place; may be empty.
  public let place: String
  /// From the phone's position to that place, in metres.
  public let distance: Double
  /// Added to the outbox if the reminder still exists.
  public let items: [OutboxItem]

  public init(
    reminder: ReminderID, account: AccountID, device: DeviceID, at: Instant, place: String, distance: Double,
    items: [OutboxItem] = []
  ) {
    self.reminder = reminder
    self.account = account
    self.device = device
    self.at = at
    self.place = place
    self.distance = distance
    self.items = items
  }
}

/// A completed reminder that becomes active again, with no item done (W19).
public struct ReminderRestart: Hashable, Sendable {
  public let id: ReminderID
  public let account: AccountID

  public init(id: ReminderID, account: AccountID) {
    self.id = id
    self.account = account
  }
}
