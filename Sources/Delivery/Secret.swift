/// A value that must not be shown: printing, logging or dumping it shows only that there is one.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The value itself. Use it only where it is sent to its destination.
  public let revealed: String
  public init(_ value: String) { revealed = value }

  public var isEmpty: Bool { revealed.isEmpty }
  public var description: String { revealed.isEmpty ? "(none)" : "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
  /// Returns the beginning of a text from the other side as one line without control characters, for records
  /// and logs.
  package func excerpt(_ limit: Int = 200) -> String {
    let line = unicodeScalars.prefix(limit * 2).map { scalar -> Character in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? " " : Character(scalar)
    }
    let words = String(line).split(separator: " ").joined(separator: " ")
    return words.count <= limit ? words : String(words.prefix(limit - 1)) + "…"
  }
}
