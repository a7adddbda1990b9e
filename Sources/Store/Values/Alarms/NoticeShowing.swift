import AlarmEngine

/// A zone's notice that is due on a device, with what tells of it: counted and told once, or not at all (S187-S192).
public struct NoticeShowing: Hashable, Sendable {
  /// Own or followed.
  public let zone: ZoneID
  public let device: DeviceID
  public let account: AccountID
  /// At most once in this time on the device; zero is no cap.
  public let cap: TimeSpan
  /// Put into the outbox where the cap allows it.
  public let items: [OutboxItem]

  public init(zone: ZoneID, device: DeviceID, account: AccountID, cap: TimeSpan, items: [OutboxItem]) {
    self.zone = zone
    self.device = device
    self.account = account
    self.cap = cap
    self.items = items
  }
}
