import AlarmEngine

/// People to whom an account, their manager, gives collections of zones in one step. Nobody is in it who has not agreed.
public struct PeopleGroup: Hashable, Sendable {
  public let id: GroupID
  /// The manager.
  public let owner: AccountID
  public var name: String
  public let createdAt: Instant
  /// Until when whoever has the link may join; nil: there is no link.
  public internal(set) var linkEndsAt: Instant?
  /// What its members may follow; by name.
  public internal(set) var collections: [GivenCollection] = []
  /// Of those who have agreed.
  public internal(set) var memberCount = 0

  public init(id: GroupID = .random(), owner: AccountID, name: String, createdAt: Instant) {
    self.id = id
    self.owner = owner
    self.name = name
    self.createdAt = createdAt
  }

  public struct GivenCollection: Hashable, Sendable {
    public let id: CollectionID
    public let name: String

    public init(id: CollectionID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Groups of one account.
  public static let most = 100
  /// Members of one group, with those who were invited.
  public static let mostMembers = 1000
  /// Collections of one group.
  public static let mostCollections = 100
  /// An invitation that was not accepted by then is none.
  public static let invitationLasts = TimeSpan.hours(30 * 24)
  /// For so long both sides see that a membership has ended.
  public static let endingIsShown = TimeSpan.hours(30 * 24)
}

/// A group as those see it who are invited to it.
public struct OfferedGroup: Hashable, Sendable {
  public let id: GroupID
  public let name: String
  public let manager: AccountID
  public let managerLogin: String
  public let managerName: String
  public let collections: [PeopleGroup.GivenCollection]

  public init(
    id: GroupID, name: String, manager: AccountID, managerLogin: String, managerName: String,
    collections: [PeopleGroup.GivenCollection]
  ) {
    self.id = id
    self.name = name
    self.manager = manager
    self.managerLogin = managerLogin
    self.managerName = managerName
    self.collections = collections
  }
}
