import AlarmEngine
import Geometry

/// What a phone says that is not a position.
public enum PhoneMessage: Hashable, Sendable {
  /// One of the phone's own fences was crossed. Its position is among the fixes too.
  case transition(PhoneTransition)
  /// A fence was made or changed on the phone.
  case waypoint(PhoneWaypoint)
  /// All fences of the phone: what is not among them is not there.
  case waypoints([PhoneWaypoint])
  case status([PhoneAttribute])
  /// The phone's connection to a broker broke; it had begun then.
  case lastWill(since: Instant?)
  /// Somebody's name; the picture stays in the body.
  case card(trackerID: String?, name: String?)
  case steps([PhoneAttribute])
  case beacon([PhoneAttribute])
  /// The phone's settings, without passwords.
  case configuration([PhoneAttribute], waypoints: [PhoneWaypoint])
  /// OwnTracks asks for something, as a tour.
  case request([PhoneAttribute])
  /// A command that came back to us.
  case command(action: String)
  /// The phone forgot a friend (OwnTracks posts nothing at all then).
  case friendDeleted
  /// Alive, without a position.
  case heartbeat(at: Instant, PhoneState)
  /// Overland's diary: started, paused, visit. Its position is the last one known, not one of that time, and no fix; that of
  /// a visit is true, and among the fixes at the times of arrival and departure.
  case logEntry(action: String, at: Instant?, [PhoneAttribute])
  case trip(PhoneTrip)
  /// For messages through Firebase.
  case pushToken(String)
  /// uLogger signs on (`auth`) or begins a track (`addtrack`).
  case session(action: String)
  /// An encrypted message: 24 bytes of nonce and a secretbox.
  case sealed([UInt8])
  /// A message of a kind we do not know; its bytes are to be kept.
  case unknown(type: String)
  /// Not the form it should have; its bytes are to be kept.
  case unreadable
}

public struct PhoneTransition: Hashable, Sendable {
  /// Anything but `enter` is leaving, as OwnTracks itself reads it.
  public var isEntering: Bool
  public var name: String?
  public var regionID: String?
  /// Of the phone that crossed.
  public var trackerID: String?
  public var at: Instant?
  /// When the fence was made: Android's key to it.
  public var waypointMadeAt: Instant?
  public var trigger: FixTrigger?
  public init(isEntering: Bool) { self.isEntering = isEntering }
}

/// A fence on a phone: a circle, a beacon, or both.
public struct PhoneWaypoint: Hashable, Sendable {
  public var name: String
  public var regionID: String?
  public var madeAt: Instant?
  public var center: Coordinate?
  /// Zero or absent: a mark on the map that is not watched.
  public var radius: Distance?
  public var isBeacon: Bool
  public init(name: String, isBeacon: Bool = false) {
    self.name = name
    self.isBeacon = isBeacon
  }
}

/// A trip of Overland.
public struct PhoneTrip: Hashable, Sendable {
  public var distance: Distance?
  public var mode: String?
  public var start: Instant?
  public var end: Instant?
  public init() {}
}
