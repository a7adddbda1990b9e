import AlarmEngine

/// The version number of a collection's pack; the higher one is later.
///
/// JavaScript's numbers hold it exactly. Servers use the time in milliseconds if that is higher than the next
/// version, so that versions also increase after a backup was restored.
public struct PackVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int64

  public static let allowed: ClosedRange<Int64> = 1...(1 << 53) - 1

  /// Returns nil if the number is out of range.
  public init?(_ number: Int64) {
    guard Self.allowed.contains(number) else { return nil }
    self.number = number
  }

  /// Creates the version that follows another, or the first one.
  public init(after version: PackVersion?, at now: Instant) {
    let least = version.map { min($0.number + 1, Self.allowed.upperBound) } ?? 1
    number = min(max(least, now.millisecondsSince1970), Self.allowed.upperBound)
  }

  public var description: String { String(number) }
  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
