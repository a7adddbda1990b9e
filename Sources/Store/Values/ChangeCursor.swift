import AlarmEngine

/// A place in an account's change feed.
public struct ChangeCursor: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static let start = Self(rawValue: 0)
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}
