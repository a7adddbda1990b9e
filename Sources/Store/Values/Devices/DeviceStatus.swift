import AlarmEngine
import Geometry

/// The last status that a phone reported, and whether its messages can be read.
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
  /// The kind of motion in the phone's words, such as walking or in_vehicle.
  public var motion: [String] = []
  /// Above the ellipsoid or the sea, as the phone has it.
  public var altitude: Distance?
  /// By the phone's clock, and never later than it arrived.
  public var toldAt: Instant?
  /// When the alarm about this discharge began; nil if the battery is not low, or was charged since.
  public var lowBatterySince: Instant?
  /// Since when the phone's messages cannot be read; nil if the last one could.
  public var unreadSince: Instant?
  public var unread: Unread?

  public init() {}
}
