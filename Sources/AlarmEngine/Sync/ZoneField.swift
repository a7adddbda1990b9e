/// The fields of a zone that are edited independently. Numbers are only added, never changed.
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
  /// The outline and the meaning of its edges. As two fields, edits on two devices could merge into a shape
  /// that nobody drew.
  case outline = 12
  case trigger = 13
  case schedule = 14
  case assurance = 15
  case messages = 16
  case notice = 17
  case unknownRows = 18
  /// Floor and ceiling. As two fields, the floor of one edit could end up above the ceiling of another.
  case band = 19
}
