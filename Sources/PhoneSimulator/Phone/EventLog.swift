import AlarmEngine
import Geometry

/// The events on a simulated phone, in order; the same seed gives the same bytes.
public struct EventLog: Sendable {
  public struct Entry: Hashable, Sendable {
    public let time: Instant
    public let occurrence: Occurrence
  }

  public private(set) var entries: [Entry] = []

  mutating func append(_ occurrence: Occurrence, at time: Instant) {
    entries.append(Entry(time: time, occurrence: occurrence))
  }

  /// One line for each entry: milliseconds since 1970, a space, the event.
  public var text: String {
    entries.map { "\($0.time.millisecondsSince1970) \($0.occurrence)\n" }.joined()
  }

  public var bytes: [UInt8] { Array(text.utf8) }

  /// The results of `choose` for all entries, without nil.
  public func compactMap<T>(_ choose: (Entry) -> T?) -> [T] { entries.compactMap(choose) }
}

/// One thing that happened on a simulated phone.
public enum Occurrence: Hashable, Sendable, CustomStringConvertible {
  public enum Cause: Hashable, Sendable {
    case user
    case region(String)
    case significantChange
    case visit
    case geofence(String)
    /// Live updates that go on because the phone moves (iOS 17).
    case liveUpdate
    /// A timer that may wake the application (Android).
    case alarm
  }
  public enum End: String, Hashable, Sendable {
    case bySystem, byUser, byReboot, overtime, pageClosed
  }
  public enum Service: String, Hashable, Sendable { case gnss, wifi, cell, reduced }

  case launched(Cause)
  case foreground
  case background
  case suspended
  /// Woken from suspension.
  case woken(Cause)
  case ended(End)
  case bootedUp
  /// A position delivered to the application.
  case fix(Coordinate, accuracy: Double, measuredAt: Instant, by: Service)
  case noFix
  case sessionStarted(accuracy: Double, filter: Double)
  case sessionStopped
  case sessionPaused
  case regionAdded(String)
  case regionRefused(String)
  case regionRemoved(String)
  case entered(String)
  case exited(String)
  case dwelt(String)
  /// A true event that was never delivered.
  case lost(String)
  /// A false event that was delivered.
  case spurious(String)
  case coalesced(String)
  case stateKnown(String, inside: Bool)
  case significantChange
  case arrived
  case departed
  case authorization(String)
  /// An event that could not be delivered to any process.
  case undeliverable(Cause)
  /// A local notification was shown.
  case notified(String)
  /// A line written by the application itself.
  case note(String)

  public var description: String {
    switch self {
    case .launched(let cause): "launched \(cause)"
    case .foreground: "foreground"
    case .background: "background"
    case .suspended: "suspended"
    case .woken(let cause): "woken \(cause)"
    case .ended(let end): "ended \(end.rawValue)"
    case .bootedUp: "booted"
    case .fix(let place, let accuracy, let measuredAt, let service):
      "fix \(place.latitude.degrees) \(place.longitude.degrees) \(accuracy) \(measuredAt.millisecondsSince1970) \(service.rawValue)"
    case .noFix: "no fix"
    case .sessionStarted(let accuracy, let filter): "session \(accuracy) \(filter)"
    case .sessionStopped: "session stopped"
    case .sessionPaused: "session paused"
    case .regionAdded(let id): "region added \(id)"
    case .regionRefused(let id): "region refused \(id)"
    case .regionRemoved(let id): "region removed \(id)"
    case .entered(let id): "entered \(id)"
    case .exited(let id): "exited \(id)"
    case .dwelt(let id): "dwelt \(id)"
    case .lost(let id): "lost \(id)"
    case .spurious(let id): "spurious \(id)"
    case .coalesced(let id): "coalesced \(id)"
    case .stateKnown(let id, let inside): "state \(inside ? "inside" : "outside") \(id)"
    case .significantChange: "significant change"
    case .arrived: "arrived"
    case .departed: "departed"
    case .authorization(let status): "authorization \(status)"
    case .undeliverable(let cause): "undeliverable \(cause)"
    case .notified(let title): "notified \(title)"
    case .note(let text): "note \(text)"
    }
  }
}

extension Occurrence.Cause: CustomStringConvertible {
  public var description: String {
    switch self {
    case .user: "by user"
    case .region(let id): "by region \(id)"
    case .significantChange: "by significant change"
    case .visit: "by visit"
    case .geofence(let id): "by geofence \(id)"
    case .liveUpdate: "by live update"
    case .alarm: "by alarm"
    }
  }
}
