import AlarmEngine

/// The number of a state of a collection's pack: of two, the higher is the later.
///
/// A number that JavaScript's numbers hold exactly. Servers take the time in milliseconds where that is higher than the
/// version before, so that versions go up after a backup was restored, too.
public struct PackVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int64

  public static let allowed: ClosedRange<Int64> = 1...(1 << 53) - 1

  /// Nil where the number is out of range.
  public init?(_ number: Int64) {
    guard Self.allowed.contains(number) else { return nil }
    self.number = number
  }

  /// The version of a state that follows another, or is the first.
  public init(after version: PackVersion?, at now: Instant) {
    let least = version.map { min($0.number + 1, Self.allowed.upperBound) } ?? 1
    number = min(max(least, now.millisecondsSince1970), Self.allowed.upperBound)
  }

  public var description: String { String(number) }
  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
