import AlarmEngine

/// A body that was not understood, or only in part, kept for people to look at.
public struct RawBody: Hashable, Sendable {
  public let device: DeviceID?
  public let receivedAt: Instant
  /// The path or protocol by which it arrived.
  public let source: String
  /// The reason why it was not understood.
  public let reason: String
  /// The beginning of the body, at most `keptBytes`.
  public let body: [UInt8]
  /// The size of the whole body in bytes; more than `body` has if only the beginning was kept.
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

  /// The most bytes kept of a body. A picture that OwnTracks sends with a position has about 300 kB.
  public static let keptBytes = 524_288
  /// The same for an unclaimed device, or for no device.
  public static let keptBytesUnclaimed = 16_384
  /// The most bodies of one device; the oldest are deleted first.
  public static let keptForDevice = 100
  public static let keptForUnclaimed = 5
  /// The most bytes of one device. The latest body is kept whatever its size.
  public static let keptBytesForDevice = 4 << 20
  /// The most bodies of all devices together.
  public static let kept = 10_000
}
