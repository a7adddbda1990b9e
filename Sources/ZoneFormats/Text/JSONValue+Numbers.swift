extension JSONValue {
  /// A number, also in quotes, with a point: in zones a comma is refused.
  package var decimal: Double? {
    double ?? string.flatMap { NumberField.decimal(Array($0.utf8)[...].trimmed) }
  }

  /// A number without fraction that an `Int64` holds; JSON does not tell 1 from 1.0.
  package var whole: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
