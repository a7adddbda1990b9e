import AlarmEngine
import Geometry

/// A message of a phone other than a position.
public enum PhoneMessage: Hashable, Sendable {
  /// One of the phone's own fences was crossed. Its position is among the fixes too.
  case transition(PhoneTransition)
  /// A fence was made or changed on the phone.
  case waypoint(PhoneWaypoint)
  /// The complete list of the phone's fences.
  case waypoints([PhoneWaypoint])
  case status([PhoneAttribute])
  /// The phone's connection to a broker broke; `since` is when it had begun.
  case lastWill(since: Instant?)
  /// A person's name; the picture stays in the body.
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
  /// A sign of life without a position.
  case heartbeat(at: Instant, PhoneState)
  /// An entry of Overland's log: started, paused, visit. Its position is the last known one, so no fix is
  /// made of it. The position of a visit is true at arrival and at departure, and makes a fix at each.
  case logEntry(action: String, at: Instant?, [PhoneAttribute])
  case trip(PhoneTrip)
  /// The token for messages through Firebase.
  case pushToken(String)
  /// uLogger signs on (`auth`) or begins a track (`addtrack`).
  case session(action: String)
  /// An encrypted message: 24 bytes of nonce and a secretbox.
  case sealed([UInt8])
  /// A message of an unknown kind; keep its bytes.
  case unknown(type: String)
  /// A message that is not in the expected form; keep its bytes.
  case unreadable
}

public struct PhoneTransition: Hashable, Sendable {
  /// True for `enter`; any other event counts as leaving, as in OwnTracks itself.
  public var isEntering: Bool
  public var name: String?
  public var regionID: String?
  /// The tracker id of the phone that crossed.
  public var trackerID: String?
  public var at: Instant?
  /// The time when the fence was made, by which Android identifies it.
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
