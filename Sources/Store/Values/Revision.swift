/// The number of times that a stored value was saved: 1 when it is new. A save passes the revision that it
/// edited.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static let first = Self(rawValue: 1)
  public var next: Self { Self(rawValue: rawValue + 1) }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "\(rawValue)" }
}
