import Geometry

/// What a watch policy promises for one zone at this moment; shown live.
public enum Guarantee: Hashable, Sendable {
  case guaranteed(Promise)
  case bestEffort(Shortfall)
  case notWatched(Silence)

  /// Every stay of at least `late` is alarmed, at most so long after the moment named.
  ///
  /// Premises: the phone is no faster than `upTo`; a fix that is asked for comes within the receiver's time and
  /// within its stated error times the zone's factor; timers keep their time; the motion hardware speaks within its
  /// delay after each change, even if only of the motion that came next; fences that were left are reported within
  /// their delay.
  public struct Promise: Hashable, Sendable {
    public var upTo: Speed
    public var late: TimeSpan
    public var after: Moment
    /// From where the stay counts.
    public var line: Line
    /// So much more where the deciding fix is so coarse that the zone first waits for a better one.
    public var coarse: TimeSpan
    /// After minutes of rest, or on foot, the phone is taken to be no faster than this until the motion hardware says
    /// otherwise; nil where nothing of the kind is taken.
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

    /// How far beyond the line the alarm may come, at the speed named.
    public var far: Distance { upTo * late }
  }

  public enum Moment: UInt8, Hashable, Sendable {
    case entry
    /// The phone is parked, or rests beside the zone: counted from its departure, if that is later than the entry.
    case departure
  }
  public enum Line: UInt8, Hashable, Sendable {
    /// The alert line itself: the zone rings where being inside cannot be excluded.
    case edge
    /// As far inside the alert line as the fix may be wrong: the zone rings at positions inside.
    case insideByError
  }

  /// Why there is no more than an effort.
  public enum Shortfall: UInt8, Hashable, Sendable {
    case onlyWhileVisible, onlyInUse, approximateOnly
    /// No position yet, or none that came when it was asked for.
    case noFix
    /// A position that needs more than the stated speed awaits its confirmation.
    case suspectPosition
    /// No position comes, and by now the phone may be at the zone.
    case mayBeInside
    /// Only significant changes watch: they come within 2.5 km of way in 95 of 100 cases, and promise no time.
    case significantChangesOnly
    /// It rang and can ring again only after it was left.
    case rangAlready
    case policyHasNoBound
    /// The phone rests so near that the system may not notice the way to the zone: a fence cannot be that small.
    case parkedBeside
  }
  /// What a host promises that runs only while it is visible: a web page, which listens to every position there is.
  public static func visibleOnly(isHidden: Bool) -> Self {
    isHidden ? .notWatched(.hidden) : .bestEffort(.onlyWhileVisible)
  }

  /// Why nothing is watched.
  public enum Silence: Hashable, Sendable {
    case stopped, notAuthorized, hidden
    case disarmed, inactive, scheduleClosed, acknowledgedForToday
    case noArea(ZoneError)
  }
}
