import AlarmEngine

/// A collection as an account sees it.
public struct VisibleCollection: Hashable, Sendable {
  public let collection: ZoneCollection
  public let ownerName: String
  public let zoneCount: Int
  public let isFollowed: Bool

  public init(collection: ZoneCollection, ownerName: String, zoneCount: Int, isFollowed: Bool) {
    self.collection = collection
    self.ownerName = ownerName
    self.zoneCount = zoneCount
    self.isFollowed = isFollowed
  }
}
