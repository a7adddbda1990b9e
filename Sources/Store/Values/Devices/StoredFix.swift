import AlarmEngine
import Geometry

/// A fix, with the other values that the phone sent.
public struct StoredFix: Hashable, Sendable {
  public let fix: Fix
  /// Above the ellipsoid or the sea, as the phone reports it; by default the height of `fix`.
  public let altitude: Distance?
  /// 0 to 1.
  public let battery: Double?
  /// Further values without a column of their own, as JSON; nil for none.
  public let detail: String?

  public init(_ fix: Fix, altitude: Distance? = nil, battery: Double? = nil, detail: String? = nil) {
    self.fix = fix
    self.altitude = altitude ?? fix.altitude?.height
    self.battery = battery
    self.detail = detail
  }

  /// The tolerated clock error: a fix may be measured this much later than it arrived.
  public static let clockTolerance = TimeSpan.seconds(5)

  /// True if the fix was measured later than it arrived, so that the phone's clock must be wrong.
  public var isFromFuture: Bool { fix.measuredAt > fix.receivedAt + Self.clockTolerance }
}
