import AlarmEngine

/// A group of people to whom an account, the manager, gives collections of zones. A person becomes a member
/// only by agreeing.
public struct PeopleGroup: Hashable, Sendable {
  public let id: GroupID
  /// The manager.
  public let owner: AccountID
  public var name: String
  public let createdAt: Instant
  /// Until when somebody can join by a link; nil if there is no link with a place left.
  public internal(set) var linkEndsAt: Instant?
  /// The collections that members may follow, sorted by name.
  public internal(set) var collections: [GivenCollection] = []
  /// The number of people who have agreed.
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

  /// The most groups of one account.
  public static let most = 100
  /// The most members of one group, invited people included.
  public static let mostMembers = 1000
  /// The most collections of one group.
  public static let mostCollections = 100
  /// The time after which an invitation that was not accepted expires.
  public static let invitationLasts = TimeSpan.hours(30 * 24)
  /// The time for which both sides see that a membership has ended.
  public static let endingIsShown = TimeSpan.hours(30 * 24)
}

/// A group as shown to an invited person.
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
