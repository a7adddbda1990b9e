/// One field of a record, with the time of the edit that gave it its value; of two the later counts.
public struct FieldRegister: Hashable, Sendable {
  /// A number of `ZoneField`, `ReminderField`; unknown ones are carried along.
  public let field: UInt8
  public let value: [UInt8]
  public let editedAt: HybridTime

  public init(field: UInt8, value: [UInt8], editedAt: HybridTime) {
    self.field = field
    self.value = value
    self.editedAt = editedAt
  }

  /// True if this one counts when both are there. Two values under one time are a mistake of their maker; then the
  /// greater bytes count, so that everybody still agrees.
  func overrules(_ other: Self) -> Bool {
    if editedAt != other.editedAt { return editedAt > other.editedAt }
    return other.value.lexicographicallyPrecedes(value)
  }
}
