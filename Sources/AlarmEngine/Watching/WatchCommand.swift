import Geometry

/// A command of a watch policy to the phone. Each states the complete wish, so a repetition does no harm.
public enum WatchCommand: Hashable, Sendable {
  /// Start continuous updates; replaces any earlier session.
  case session(Session)
  case endSession
  /// Request one fix at least this accurate. If none comes within the time, the best one so far counts.
  case requestFix(DesiredAccuracy, within: TimeSpan)
  /// Monitor these fences and no others.
  case fences([Fence])
  /// Ask if the phone is inside the fence now. The answer is ``WatchEvent/fenceState(_:inside:)``.
  case requestState(FenceID)
  case significantChanges(Bool)
  case visits(Bool)
  case motion(Bool)
  /// Wake up at this time; replaces any earlier timer. Nil: no timer.
  case timer(Instant?)
  /// Keep running in the background for as long as the system allows.
  case holdBackground
  case releaseBackground
  /// Tell the person at once what the watch can no longer do.
  case warn(WatchWarning)
  /// Make the phone itself warn at this time, unless the application runs before and postpones it. It covers
  /// an application that was ended and that nothing starts again. Nil: no warning.
  case warnIfSilent(at: Instant?)
}

/// A warning that a person needs because the watch cannot do its work.
public enum WatchWarning: Hashable, Sendable {
  /// No position comes, and the phone may be inside this safety zone by now.
  case cannotLocate(ZoneID)
  /// Fences are slow without Wi-Fi: sessions run longer and use more energy.
  case wifiIsOff
}

/// The desired accuracy of continuous updates or of one fix.
public enum DesiredAccuracy: UInt8, Hashable, Sendable, CaseIterable {
  case bestForNavigation, best, tenMetres, hundredMetres, kilometre, threeKilometres
}

/// The settings of continuous updates.
public struct Session: Hashable, Sendable {
  public var accuracy: DesiredAccuracy
  /// The distance between two updates; nil reports every update.
  public var distanceFilter: Distance?
  /// True if the platform may pause the session while the phone lies still; it then resumes by itself only in
  /// the foreground.
  public var mayPause: Bool
  /// True for a session that is there only to wake the application when the phone moves: the platform pauses it
  /// while the phone lies still and resumes it by itself (``Capabilities/liveUpdates``). Its positions are not
  /// used; the platform reports a resumption as ``WatchEvent/motion(_:)`` with ``Motion/unknown``.
  public private(set) var wakesOnMotion = false
  public init(accuracy: DesiredAccuracy, distanceFilter: Distance? = nil, mayPause: Bool = false) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.mayPause = mayPause
  }

  /// The session with ``wakesOnMotion``.
  public static var wakingOnMotion: Self {
    var session = Self(accuracy: .best, mayPause: true)
    session.wakesOnMotion = true
    return session
  }
}

/// A circle that the system monitors while the application is suspended.
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
