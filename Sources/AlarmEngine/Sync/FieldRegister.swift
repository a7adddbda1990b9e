/// One field of a record, with the time of its last edit. Of two values the later one counts.
public struct FieldRegister: Hashable, Sendable {
  /// A number of `ZoneField` or `ReminderField`; unknown ones are preserved.
  public let field: UInt8
  public let value: [UInt8]
  public let editedAt: HybridTime

  public init(field: UInt8, value: [UInt8], editedAt: HybridTime) {
    self.field = field
    self.value = value
    self.editedAt = editedAt
  }

  /// True if this value replaces the other one. Two values with the same time are a mistake of the device
  /// that made them; the greater bytes then count, so that all devices still agree.
  func overrules(_ other: Self) -> Bool {
    if editedAt != other.editedAt { return editedAt > other.editedAt }
    return other.value.lexicographicallyPrecedes(value)
  }
}
