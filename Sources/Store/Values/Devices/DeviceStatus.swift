import AlarmEngine
import Geometry

/// What a phone last told of itself, and what is the matter with what it sends.
public struct DeviceStatus: Hashable, Sendable {
  /// Why a phone's encrypted messages cannot be read.
  public enum Unread: Int, Hashable, Sendable, CaseIterable {
    /// The device has no key.
    case noKey = 1
    /// The device's key does not open them.
    case wrongKey = 2
  }

  /// 0 to 1.
  public var battery: Double?
  public var isCharging: Bool?
  /// The words of the phone: walking, in_vehicle and the like.
  public var motion: [String] = []
  /// Above the ellipsoid or the sea, as the phone has it.
  public var altitude: Distance?
  /// By the phone's clock, and never later than it arrived.
  public var toldAt: Instant?
  /// When the alarm of this discharge began; nil: the battery is not low, or was charged since.
  public var lowBatterySince: Instant?
  /// Since when nothing that it sends can be read; nil: what came last could.
  public var unreadSince: Instant?
  public var unread: Unread?

  public init() {}
}
