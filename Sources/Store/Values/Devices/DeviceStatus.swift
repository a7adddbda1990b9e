import AlarmEngine
import Geometry

/// The last status that a phone reported, and whether its messages can be read.
public struct DeviceStatus: Hashable, Sendable {
  /// Why a phone's messages cannot be read.
  public enum Unread: Int, Hashable, Sendable, CaseIterable {
    /// The device has no key.
    case noKey = 1
    /// The device's key does not open them.
    case wrongKey = 2
    /// Several posts in a row should have held a position, and none could be read.
    case malformed = 3

    /// The word for it in the API and in notices.
    public var word: String {
      switch self {
      case .noKey: "no_key"
      case .wrongKey: "wrong_key"
      case .malformed: "malformed"
      }
    }
  }

  /// Successive posts that should have held a position and could not be read.
  public struct MalformedPosts: Hashable, Sendable {
    /// The count stops here.
    public static let most = 3
    /// 1 to `most`.
    public var count: Int
    /// When the first arrived.
    public var since: Instant
    /// Why the first could not be read.
    public var reason: String

    public init(count: Int, since: Instant, reason: String) {
      self.count = count
      self.since = since
      self.reason = reason
    }
  }

  /// 0 to 1.
  public var battery: Double?
  public var isCharging: Bool?
  /// The kind of motion in the phone's words, such as walking or in_vehicle.
  public var motion: [String] = []
  /// Above the ellipsoid or the sea, as the phone has it.
  public var altitude: Distance?
  /// The time of the status by the phone's clock, never later than its arrival.
  public var toldAt: Instant?
  /// When the alarm about this discharge began; nil if the battery is not low, or was charged since.
  public var lowBatterySince: Instant?
  /// Since when the phone's messages cannot be read; nil if the last one could.
  public var unreadSince: Instant?
  public var unread: Unread?
  /// Nil if the last position could be read.
  public var malformed: MalformedPosts?

  public init() {}
}
