import AlarmEngine
import Geometry

/// A command from the host to the platform. Commands are carried out in order. Each is complete in itself, so
/// carrying it out twice is harmless.
public enum PhoneCommand: Hashable, Sendable {
  // Writes come first: no request or event leaves the host before it is on the disk.

  /// Append these bytes to the journal and flush them to the disk. After a write that failed
  /// (``PhoneInput/notKept``) nothing is appended before the next ``replace(_:)`` that succeeds: bytes behind a piece of
  /// an entry could complete it.
  case append([UInt8])
  /// Replace the snapshot by these bytes atomically, then begin an empty journal.
  case replace([UInt8])
  /// Append these lines to those that wait for a server and flush them to the disk. This precedes the
  /// ``append(_:)`` that accepts the positions, so that a loss of power leaves no accepted position
  /// unreported.
  case report([UInt8])

  /// Continuous positions from now on, in place of the previous session.
  case session(Session)
  case endSession
  /// Request one position, in addition to a session. `once`: the request ends by itself with the first
  /// answer, or with ``PhoneInput/requestFailed`` after `within`; else positions come until ``endRequest``.
  case startRequest(DesiredAccuracy, once: Bool, within: TimeSpan)
  case endRequest
  /// The fences from now on; remove all others of the watch.
  case fences([Fence])
  case requestState(FenceID)
  case significantChanges(Bool)
  case visits(Bool)
  case motion(Bool)
  /// Send ``PhoneInput/woke`` at this time instead of the previous one, from sleep too where the platform
  /// can. Nil: no wake.
  case wake(Instant?)
  case holdBackground
  case releaseBackground
  case warn(WatchWarning)
  /// The phone itself warns at this time unless the application runs before and postpones it. Nil: no
  /// warning.
  case warnIfSilent(at: Instant?)
  /// Send the waiting lines, the oldest first, as many as fit into one request; then send
  /// ``PhoneInput/reported(_:)``.
  case sendReports
  /// Show and sound these events in order, then send ``PhoneInput/told(_:)`` with the last number.
  case tell([Told])
  /// All alarms that ring now: notifications of others go. Given at every start and after each change.
  case ringing([Ringing])
}

/// Something that happened, to be told to the person once.
public struct Told: Hashable, Sendable {
  /// From 1, without gaps, over the life of the installation.
  public let number: UInt64
  public let event: Event
  public init(number: UInt64, event: Event) {
    self.number = number
    self.event = event
  }
}

/// One alarm that rings.
public struct Ringing: Hashable, Sendable {
  public var alarm: AlarmID
  public var zone: ZoneID
  public var cause: Cause
  public var began: Instant
  /// Its notification was closed; it sounds again.
  public var isClosed: Bool
  public init(alarm: AlarmID, zone: ZoneID, cause: Cause, began: Instant, isClosed: Bool) {
    self.alarm = alarm
    self.zone = zone
    self.cause = cause
    self.began = began
    self.isClosed = isClosed
  }
}
