import Geometry

/// What a watch policy asks of the phone. Each command states a whole wish: asking twice for the same does no harm.
public enum WatchCommand: Hashable, Sendable {
  /// Continuous updates from now on, in place of any former session.
  case session(Session)
  case endSession
  /// One fix, at least this good if it can be had within the time; the best one there is at its end.
  case requestFix(DesiredAccuracy, within: TimeSpan)
  /// The fences that are to stand from now on; all others go.
  case fences([Fence])
  /// True if the phone is inside the fence now.
  case requestState(FenceID)
  case significantChanges(Bool)
  case visits(Bool)
  case motion(Bool)
  /// Wake up then; replaces any former timer. Nil: no timer.
  case timer(Instant?)
  /// Keep running in the background for as long as the system allows.
  case holdBackground
  case releaseBackground
  /// Tells the person at once what the watch can no longer do.
  case warn(WatchWarning)
  /// The phone itself warns then, should the application not run again to put it off: it was ended and nothing
  /// starts it any more. Nil: it needs no such warning.
  case warnIfSilent(at: Instant?)
}

/// What a person must know to be safe although the watch fails.
public enum WatchWarning: Hashable, Sendable {
  /// No position comes, and by now the phone may be inside this safety zone.
  case cannotLocate(ZoneID)
  /// Fences are slow without Wi-Fi: sessions run longer, for more energy.
  case wifiIsOff
}

/// How good continuous updates or one fix should be.
public enum DesiredAccuracy: UInt8, Hashable, Sendable, CaseIterable {
  case bestForNavigation, best, tenMetres, hundredMetres, kilometre, threeKilometres
}

/// Continuous updates.
public struct Session: Hashable, Sendable {
  public var accuracy: DesiredAccuracy
  /// To move between two updates; nil is every update.
  public var distanceFilter: Distance?
  /// The platform may pause it when the phone lies still; it then resumes by itself only in the foreground.
  public var mayPause: Bool
  public init(accuracy: DesiredAccuracy, distanceFilter: Distance? = nil, mayPause: Bool = false) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.mayPause = mayPause
  }
}

/// A circle that the system watches while the application sleeps.
public struct Fence: Hashable, Sendable {
  public var id: FenceID
  public var center: Coordinate
  /// Not negative.
  public let radius: Distance
  public var onEntry: Bool
  public var onExit: Bool
  /// - Precondition: `radius` is not negative.
  public init(id: FenceID, center: Coordinate, radius: Distance, onEntry: Bool = true, onExit: Bool = true) {
    precondition(radius >= .zero, "a fence's radius is not negative")
    self.id = id
    self.center = center
    self.radius = radius
    self.onEntry = onEntry
    self.onExit = onExit
  }
}
