/// The fields of a reminder that are edited independently. Numbers are only added, never changed.
public enum ReminderField: UInt8, Sendable, CaseIterable {
  case title = 1
  case items = 2
  case places = 3
  case radius = 4
  case repeats = 5
  case state = 6
}
