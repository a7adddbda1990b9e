import Geometry

/// One line of the Nearby list: a place of a reminder, and the distance to it.
public struct NearbyPlace: Hashable, Sendable {
  public let reminder: ReminderID
  public let place: Reminder.Place
  /// From the last fix.
  public let distance: Distance
  public init(reminder: ReminderID, place: Reminder.Place, distance: Distance) {
    self.reminder = reminder
    self.place = place
    self.distance = distance
  }
}
