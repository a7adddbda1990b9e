import Geometry

/// The promise of a watch policy for one zone at this moment; shown live.
public enum Guarantee: Hashable, Sendable {
  case guaranteed(Promise)
  case bestEffort(Shortfall)
  case notWatched(Silence)

  /// Every stay of at least `late` causes an alarm, at most `late` after the named moment.
  ///
  /// Premises: the phone is no faster than `upTo`, and gains no more speed than
  /// ``CertifiedParameters/greatestAcceleration``; a requested fix arrives within the receiver's time, and is
  /// right within its stated error times the zone's factor and the error of its speed; timers are punctual; the
  /// motion hardware reports each change within its delay, even if it names only the next motion; the system
  /// reports the exit from a fence within its delay.
  public struct Promise: Hashable, Sendable {
    public var upTo: Speed
    public var late: TimeSpan
    public var after: Moment
    /// The line from which the stay counts.
    public var line: Line
    /// The additional lateness if the deciding fix is so coarse that the zone first waits for a better one.
    public var coarse: TimeSpan
    /// After minutes of rest, or on foot, the phone is assumed to be no faster than this until the motion
    /// hardware reports otherwise; nil without such an assumption.
    public var unannounced: Speed?

    public init(
      upTo: Speed, late: TimeSpan, after: Moment, line: Line, coarse: TimeSpan, unannounced: Speed? = nil
    ) {
      self.upTo = upTo
      self.late = late
      self.after = after
      self.line = line
      self.coarse = coarse
      self.unannounced = unannounced
    }

    /// The greatest distance beyond the line at which the alarm may come, at the speed `upTo`.
    public var far: Distance { upTo * late }
  }

  public enum Moment: UInt8, Hashable, Sendable {
    /// The crossing of the line; of a zone that rings after a time inside or outside, the end of that time.
    case entry
    /// The phone is parked, or rests beside the zone: lateness counts from its departure, if that is later
    /// than the entry.
    case departure
  }
  public enum Line: UInt8, Hashable, Sendable {
    /// The alert line itself: the zone rings as soon as being inside cannot be excluded.
    case edge
    /// Inside the alert line by the error of the fix: the zone rings at positions inside. A zone that is
    /// nowhere as deep as that error is promised nothing.
    case insideByError
  }

  /// The reason why the policy promises no time.
  public enum Shortfall: UInt8, Hashable, Sendable {
    case onlyWhileVisible, onlyInUse, approximateOnly
    /// There is no position yet, or a requested one did not come.
    case noFix
    /// A position that needs more than the stated speed waits for confirmation.
    case suspectPosition
    /// No position comes, and the phone may have reached the zone by now.
    case mayBeInside
    /// Only significant changes wake the application. They come within 2.5 km of travel in 95 of 100 cases,
    /// at no promised time.
    case significantChangesOnly
    /// The zone rang and can ring again only after the phone has left it.
    case rangAlready
    case policyHasNoBound
    /// The phone rests so near the zone that the system may not notice the way to it, since a fence has a
    /// least size.
    case parkedBeside
  }
  /// Returns the promise of a host that runs only while it is visible: a web page, which listens to all
  /// positions.
  public static func visibleOnly(isHidden: Bool) -> Self {
    isHidden ? .notWatched(.hidden) : .bestEffort(.onlyWhileVisible)
  }

  /// The reason why a zone is not watched.
  public enum Silence: Hashable, Sendable {
    case stopped, notAuthorized, hidden
    case disarmed, inactive, scheduleClosed, acknowledgedForToday
    case noArea(ZoneError)
  }
}
