import AlarmEngine
import Geometry

/// A fix, and what else the phone said with it.
public struct StoredFix: Hashable, Sendable {
  public let fix: Fix
  /// Above the ellipsoid or the sea, as the phone has it; the height of `fix` where that has one.
  public let altitude: Distance?
  /// 0 to 1.
  public let battery: Double?
  /// JSON of what has no column; nil for nothing.
  public let detail: String?

  public init(_ fix: Fix, altitude: Distance? = nil, battery: Double? = nil, detail: String? = nil) {
    self.fix = fix
    self.altitude = altitude ?? fix.altitude?.height
    self.battery = battery
    self.detail = detail
  }

  /// A clock that is right to this much shows no time later than the arrival.
  public static let clockTolerance = TimeSpan.seconds(5)

  /// The fix was measured after it arrived, which no right clock says.
  public var isFromFuture: Bool { fix.measuredAt > fix.receivedAt + Self.clockTolerance }
}
