import ZoneFormats

/// Conversions for readers of tracks and zones.
extension JSONValue {
  /// The number of elements; zero for anything but an array.
  package var count: Int { if case .array(let values) = self { values.count } else { 0 } }

  /// The element of an array; nil beyond its end and in other values.
  package func element(_ i: Int) -> Self? {
    if case .array(let values) = self, values.indices.contains(i) { values[i] } else { nil }
  }

  /// A number, also in quotes.
  package var field: NumberField {
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

  /// Degrees of latitude or longitude.
  package var degrees: NumberField { if case .string(let text) = self { .degrees(text) } else { field } }

  /// A time as text, or a number of seconds, whole or not.
  package var time: TrackFilePoint.Time {
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
