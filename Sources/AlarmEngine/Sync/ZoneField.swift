/// The fields of a zone that are edited each for itself. The numbers are never changed, only added to.
public enum ZoneField: UInt8, Sendable, CaseIterable {
  case name = 1
  case category = 2
  case active = 3
  case vibrate = 4
  case priority = 5
  case sleepTime = 6
  case size = 7
  case inset = 8
  case alertDistance = 9
  case leadTime = 10
  case soundName = 11
  /// The outline and what its edges mean: a shape half of one edit and half of another would be nobody's.
  case outline = 12
  case trigger = 13
  case schedule = 14
  case assurance = 15
  case messages = 16
  case notice = 17
  case unknownRows = 18
  /// Floor and ceiling: a floor of one edit above the ceiling of another would be no zone.
  case band = 19
}
