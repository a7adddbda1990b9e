import Geometry

/// A zone's place in one set of ``WatchedZones``, in the order of urgency. Means nothing in another set.
public struct ZoneSlot: Strideable, Hashable, Sendable {
  /// Counted from zero.
  public let index: Int

  package init(_ index: Int) { self.index = index }

  public static func == (a: Self, b: Self) -> Bool { a.index == b.index }
  public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
  public func distance(to other: Self) -> Int { other.index - index }
  public func advanced(by steps: Int) -> Self { Self(index + steps) }
}
