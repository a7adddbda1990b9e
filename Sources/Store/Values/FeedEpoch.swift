/// A part of the change feed that was written by one server. A cursor is valid only together with its epoch:
/// after an older backup is restored, the same numbers stand for other changes.
public struct FeedEpoch: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
