import AlarmEngine
import Geometry

/// What a platform tells the host of a watch. Each comes with the time at which it was handed over (``PhoneTime``).
public enum PhoneInput: Hashable, Sendable {
  /// The process runs and watching begins: by a person, after a relaunch by the system, after a reboot.
  case started(WatchEvent.Start, Capabilities, lastKnown: Fix?)
  /// Watching ends; what rings goes on.
  case stopped
  /// Positions that arrived together: of the request under way, or of a session or whatever else told them.
  case positions([Fix], ofRequest: Bool)
  /// The platform gave up the request.
  case requestFailed
  case fenceEntered(FenceID)
  case fenceExited(FenceID)
  /// Whether the phone is inside a fence that was asked about; nil where the platform does not know.
  case fenceState(FenceID, inside: Bool?)
  case fenceFailed(FenceID)
  case visitArrived(Coordinate)
  case visitDeparted(Coordinate)
  case motion(Motion)
  /// The time of ``PhoneCommand/wake(_:)`` has come. Early, late or needless, it does no harm.
  case woke
  /// What the phone grants and can do, whether it changed or not.
  case capabilities(Capabilities)
  case cameToForeground
  case wentToBackground
  /// The process is about to be ended while it runs.
  case willTerminate
  /// What a person does: closes an alarm, arms or disarms. Zones are replaced by ``zones(_:_:)``.
  case command(Command)
  /// The zones and settings as they are from now on; equal ones change nothing.
  case zones([Zone], Settings)
  /// The clock was set by this much, where the platform has no `uptime` by which the host finds it.
  case clockJumped(by: TimeSpan)
  /// All that was told up to this number was shown and sounded: it is not told again after a relaunch.
  case told(UInt64)
  /// Whether positions are to be reported to a server; told at each launch, and when that or the server changes.
  case reporting(Bool)
  /// ``PhoneCommand/sendReports`` was carried out.
  case reported(ReportOutcome)
}

/// The clocks of a phone at one moment.
public struct PhoneTime: Hashable, Sendable {
  public var now: Instant
  /// Of a clock that nobody sets and that goes on while the phone sleeps, from any moment on; nil where there is none.
  public var uptime: TimeSpan?
  public init(now: Instant, uptime: TimeSpan?) {
    self.now = now
    self.uptime = uptime
  }
}
