import AlarmEngine
import Geometry

/// An input from the platform to the host. Each comes with the time at which it was handed over
/// (``PhoneTime``).
public enum PhoneInput: Hashable, Sendable {
  /// Watching begins: started by a person, after a relaunch by the system, or after a reboot.
  case started(WatchEvent.Start, Capabilities, lastKnown: Fix?)
  /// Watching ends; ringing alarms go on.
  case stopped
  /// Positions that arrived together. `ofRequest`: they answer the request under way; else they come from a
  /// session or another source.
  case positions([Fix], ofRequest: Bool)
  /// The platform gave up the request.
  case requestFailed
  case fenceEntered(FenceID)
  case fenceExited(FenceID)
  /// True if the phone is inside a fence that was asked about; nil where the platform does not know.
  case fenceState(FenceID, inside: Bool?)
  case fenceFailed(FenceID)
  case visitArrived(Coordinate)
  case visitDeparted(Coordinate)
  /// `since`: the time that the motion hardware states for the change; nil if it states none.
  case motion(Motion, since: Instant? = nil)
  /// Live updates (iOS 17) pause because the phone rests, or go on because it moves.
  case liveUpdates(areResting: Bool)
  /// All positions from now on have this source, until the next such input.
  case positionSource(PositionSource)
  /// Tell it often; the journal gets one at most each 15 minutes, and each change of charging.
  case battery(BatteryLevel)
  /// The time of ``PhoneCommand/wake(_:)`` has come. An early, late or needless one is harmless.
  case woke
  /// The permissions and abilities of the phone, whether they changed or not.
  case capabilities(Capabilities)
  case cameToForeground
  case wentToBackground
  /// The process is about to be ended while it runs.
  case willTerminate
  /// A person's command, such as closing an alarm, arming or disarming. Zones are replaced by
  /// ``zones(_:_:)``.
  case command(Command)
  /// The zones and settings as they are from now on; equal ones change nothing.
  case zones([Zone], Settings)
  /// The edition of what the page stores: it rises with each edit of zones or settings, and with arming and disarming.
  case edition(UInt64)
  /// The clock was set by this much. For platforms without an `uptime`, from which the host would find it.
  case clockJumped(by: TimeSpan)
  /// All events up to this number were shown and sounded; they are not told again after a relaunch.
  case told(UInt64)
  /// True if positions are to be reported to a server; told at each launch, and when that or the server changes.
  case reporting(Bool)
  /// ``PhoneCommand/sendReports`` was carried out.
  case reported(ReportOutcome)
  /// ``PhoneCommand/append(_:)`` or ``PhoneCommand/replace(_:)`` failed, as on a full disk. No commands follow; with the
  /// next input the whole state is written.
  case notKept
}

/// The clocks of a phone at one moment.
public struct PhoneTime: Hashable, Sendable {
  public var now: Instant
  /// The reading of a clock that is never set and runs while the phone sleeps, with any zero; nil where the
  /// platform has none.
  public var uptime: TimeSpan?
  public init(now: Instant, uptime: TimeSpan?) {
    self.now = now
    self.uptime = uptime
  }
}
