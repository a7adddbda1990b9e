/// Conversions for readers of tracks and zones.
extension JSONValue {
  /// The number of elements; zero for anything but an array.
  var count: Int { if case .array(let values) = self { values.count } else { 0 } }

  /// The element of an array; nil beyond its end and in other values.
  func element(_ i: Int) -> Self? {
    if case .array(let values) = self, values.indices.contains(i) { values[i] } else { nil }
  }

  /// A number, also in quotes.
  var field: NumberField {
    switch self {
    case .null: .missing
    case .bool(let value): .words(String(value))
    case .integer(let whole): .number(Double(whole))
    case .number(let number): .number(number)
    case .string(let text): NumberField(text)
    case .array: .words("[...]")
    case .object: .words("{...}")
    }
  }

  /// A number, also in quotes, with a point: in zones a comma is refused.
  var decimal: Double? { double ?? string.flatMap { NumberField.decimal(Array($0.utf8)[...].trimmed) } }

  /// Degrees of latitude or longitude.
  var degrees: NumberField { if case .string(let text) = self { .degrees(text) } else { field } }

  /// A time as text, or a number of seconds, whole or not.
  var time: TrackFilePoint.Time {
    switch self {
    case .null: .missing
    case .integer(let whole): .read(String(whole))
    case .number(let number): .read(String(number))
    case .string(let text): .read(text)
    case .bool(let value): .words(String(value))
    case .array: .words("[...]")
    case .object: .words("{...}")
    }
  }
}

extension JSONValue {
  /// A number without fraction that an `Int64` holds; JSON does not tell 1 from 1.0.
  package var whole: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
