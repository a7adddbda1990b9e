import AlarmEngine
import Geometry

/// What the host of a watch wants of its platform; carried out in order. Each states a whole wish, so that doing it twice
/// does no harm.
public enum PhoneCommand: Hashable, Sendable {
  // First what is kept: nothing is promised, asked or told before it is on the disk.

  /// Add these bytes to the journal, and see that they are on the disk.
  case append([UInt8])
  /// Keep these bytes as the snapshot in place of the former one, whole or not at all; then begin the journal anew.
  case replace([UInt8])
  /// Add these lines to those that wait for a server, and see that they are on the disk. It comes before the
  /// ``append(_:)`` that accepts the positions: after a loss of power none is accepted that does not wait.
  case report([UInt8])

  /// Continuous positions from now on, in place of a former session.
  case session(Session)
  case endSession
  /// Ask for one position, beside a session. `once`: it ends by itself with the first answer, or with
  /// ``PhoneInput/requestFailed`` after `within`; else positions are to come until ``endRequest``.
  case startRequest(DesiredAccuracy, once: Bool, within: TimeSpan)
  case endRequest
  /// The fences that stand from now on; all others of the watch go.
  case fences([Fence])
  case requestState(FenceID)
  case significantChanges(Bool)
  case visits(Bool)
  case motion(Bool)
  /// Say ``PhoneInput/woke`` then, in place of a former time, also from sleep where the platform can. Nil: no time.
  case wake(Instant?)
  case holdBackground
  case releaseBackground
  case warn(WatchWarning)
  /// The phone itself warns then, should the application not run again to put it off. Nil: no such warning.
  case warnIfSilent(at: Instant?)
  /// Send the lines that wait, the oldest first, as many as go into one request; then say ``PhoneInput/reported(_:)``.
  case sendReports
  /// Show and sound these in order, then say ``PhoneInput/told(_:)`` with the last number.
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
