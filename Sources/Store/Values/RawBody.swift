import AlarmEngine

/// A body that was not understood, or not wholly, kept for people to look at.
public struct RawBody: Hashable, Sendable {
  public let device: DeviceID?
  public let receivedAt: Instant
  /// The path or protocol it came by.
  public let source: String
  /// What was not understood.
  public let reason: String
  /// No more than `keptBytes` are kept of it.
  public let body: [UInt8]

  public init(device: DeviceID?, receivedAt: Instant, source: String, reason: String, body: [UInt8]) {
    self.device = device
    self.receivedAt = receivedAt
    self.source = source
    self.reason = reason
    self.body = body
  }

  public static let keptBytes = 16_384
  /// Of one device; the oldest go first.
  public static let keptForDevice = 100
  /// Of all devices together.
  public static let kept = 10_000
}
