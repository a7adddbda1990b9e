import AlarmEngine

/// A zone's notice to show on a device, with its outbox items. It is counted and delivered, or neither if the
/// cap forbids it (S187-S192).
public struct NoticeShowing: Hashable, Sendable {
  /// A zone of the account, or one that it follows.
  public let zone: ZoneID
  public let device: DeviceID
  public let account: AccountID
  /// The notice is shown at most once in this time on the device; zero is no cap.
  public let cap: TimeSpan
  /// Added to the outbox if the cap allows it.
  public let items: [OutboxItem]

  public init(zone: ZoneID, device: DeviceID, account: AccountID, cap: TimeSpan, items: [OutboxItem]) {
    self.zone = zone
    self.device = device
    self.account = account
    self.cap = cap
    self.items = items
  }
}
