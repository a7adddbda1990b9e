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
  /// Of all of it, in bytes: more than `body` has where only its beginning was kept.
  public let size: Int

  public init(
    device: DeviceID?, receivedAt: Instant, source: String, reason: String, body: [UInt8], size: Int? = nil
  ) {
    self.device = device
    self.receivedAt = receivedAt
    self.source = source
    self.reason = reason
    self.body = body
    self.size = size ?? body.count
  }

  /// A picture that OwnTracks sends with a position has some 300 kB.
  public static let keptBytes = 524_288
  /// Of a device that belongs to nobody, or of no device.
  public static let keptBytesUnclaimed = 16_384
  /// Of one device; the oldest go first.
  public static let keptForDevice = 100
  public static let keptForUnclaimed = 5
  /// In bytes, of one device; the latest is kept whatever its size.
  public static let keptBytesForDevice = 4 << 20
  /// Of all devices together.
  public static let kept = 10_000
}
