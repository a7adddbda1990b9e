import Geometry

/// The permanent id of a reminder.
public struct ReminderID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  /// Sixteen hexadecimal digits.
  public var description: String { hexadecimal(rawValue) }
}

/// A list of things to do at any of several places: the shopping list and the branches of the shop (S200-S220).
public struct Reminder: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var text: Text
    public var done: Bool
    public init(_ text: Text, done: Bool = false) {
      self.text = text
      self.done = done
    }
  }
  public struct Place: Hashable, Sendable {
    public var name: Text
    public var coordinate: Coordinate
    public init(name: Text, coordinate: Coordinate) {
      self.name = name
      self.coordinate = coordinate
    }
  }
  public enum State: Hashable, Sendable {
    case active
    case snoozed(until: Instant)
    case completed
  }

  public let id: ReminderID
  public var title: Text
  public var items: [Item]
  /// Distinct places, any of which serves (S204). Without places the reminder is only a list.
  public let places: [Place]
  /// The distance from a place within which the reminder is announced (S219).
  public let radius: Distance
  /// True if a completed reminder becomes active again, with no item done, after the phone has left its
  /// places (W19).
  public var repeats: Bool
  public var state: State

  /// - Throws: `.radiusOutOfRange`.
  public init(
    id: ReminderID, title: Text, items: [Item] = [], places: [Place] = [],
    radius: Distance = defaultRadius, repeats: Bool = false, state: State = .active
  ) throws(ReminderError) {
    guard Self.allowedRadius.contains(radius) else { throw .radiusOutOfRange(given: radius) }
    self.init(
      id: id, title: title, items: items, places: places, radius, repeats: repeats, state: state)
  }

  /// - Parameter radius: within `allowedRadius`.
  init(
    id: ReminderID, title: Text, items: [Item], places: [Place], _ radius: Distance, repeats: Bool,
    state: State
  ) {
    self.id = id
    self.title = title
    self.items = items
    var seen = DistinctBytes()
    self.places = places.filter { place in
      seen.insert(
        FieldWriter.write {
          $0.text(place.name)
          $0.place(place.coordinate)
        })
    }
    self.radius = radius
    self.repeats = repeats
    self.state = state
  }

  public static let defaultRadius = Distance.metres(150)
  /// 100 to 200 m is usual.
  public static let allowedRadius =
    Distance.metres(
      RangedField.reminderRadius.allowed.lowerBound)...Distance.metres(
      RangedField.reminderRadius.allowed.upperBound)
}

/// The reason why a reminder was refused.
public enum ReminderError: Error, Hashable, Sendable {
  /// Allowed: `Reminder.allowedRadius`.
  case radiusOutOfRange(given: Distance)
}
