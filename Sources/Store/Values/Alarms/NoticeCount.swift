import AlarmEngine

/// How often a zone's notice was shown on one device, and opened (S187-S192).
public struct NoticeCount: Hashable, Sendable {
  public let zone: ZoneID
  public let device: DeviceID
  public let shown: Int
  public let opened: Int
  public let lastShownAt: Instant

  public init(zone: ZoneID, device: DeviceID, shown: Int, opened: Int, lastShownAt: Instant) {
    self.zone = zone
    self.device = device
    self.shown = shown
    self.opened = opened
    self.lastShownAt = lastShownAt
  }
}
