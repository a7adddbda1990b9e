import AlarmEngine

/// Zones that an account publishes, read-only for its followers (S130).
public struct ZoneCollection: Hashable, Sendable {
  /// The most people that an owner may let follow one collection.
  public static let mostMembers = 10_000

  public let id: CollectionID
  public let owner: AccountID
  public var name: String
  public var about: String
  /// True if every account may follow it; otherwise its members may.
  public var isPublic: Bool
  public let createdAt: Instant
  public internal(set) var revision: Revision

  public init(
    id: CollectionID = .random(), owner: AccountID, name: String, about: String = "", isPublic: Bool = false,
    createdAt: Instant, revision: Revision = .first
  ) {
    self.id = id
    self.owner = owner
    self.name = name
    self.about = about
    self.isPublic = isPublic
    self.createdAt = createdAt
    self.revision = revision
  }
}
