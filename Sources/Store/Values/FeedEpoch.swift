/// Names a stretch of the change feed that one server wrote. A cursor means something only together with it: after an older
/// copy of the data was put back, the same numbers stand for other changes.
public struct FeedEpoch: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
