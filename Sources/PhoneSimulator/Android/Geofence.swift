import AlarmEngine
import Geometry

/// A circle that Android watches. D [GMS].
public struct Geofence: Hashable, Sendable {
  public struct Transitions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let enter = Self(rawValue: 1)
    public static let exit = Self(rawValue: 2)
    public static let dwell = Self(rawValue: 4)
  }

  /// At most 100 characters. A fence with the same id is replaced.
  public let requestID: String
  public let centre: Coordinate
  public let radius: Distance
  public let transitions: Transitions
  /// Needed for `.dwell`.
  public let loiteringDelay: TimeSpan?
  /// The latest delay of a transition, to save battery. D [GMS]: none unless asked for.
  public let responsiveness: TimeSpan

  public init(
    requestID: String, centre: Coordinate, radius: Distance, transitions: Transitions,
    loiteringDelay: TimeSpan? = nil, responsiveness: TimeSpan = .zero
  ) {
    precondition(requestID.count <= 100, "a request id has at most 100 characters")
    precondition(
      !transitions.contains(.dwell) || loiteringDelay != nil, "dwelling needs a loitering delay")
    self.requestID = requestID
    self.centre = centre
    self.radius = radius
    self.transitions = transitions
    self.loiteringDelay = loiteringDelay
    self.responsiveness = responsiveness
  }
}

/// Status codes 1000, 1001, 1002, 1004 and 1005 of Play services.
public enum GeofencingError: Error, Equatable, Sendable {
  /// Location is off, or no network position can be had.
  case notAvailable
  case tooManyGeofences(given: Int, allowed: Int)
  case tooManyPendingIntents(given: Int, allowed: Int)
  /// The permission for the background, or for precise positions, is missing.
  case insufficientPermission
  /// More than `allowed` registrations within a minute.
  case requestTooFrequent(given: Int, allowed: Int)
}

/// An Android application that receives geofence transitions; the system starts it for one if it is not
/// running.
public protocol GeofenceReceiver: PhoneApplication {
  func geofence(_ id: String, did transition: Geofence.Transitions)
}
