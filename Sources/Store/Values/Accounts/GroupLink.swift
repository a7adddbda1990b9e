import AlarmEngine

/// A link by which people join a group by themselves: at most a number of people, until its end. The store
/// keeps a hash of its secret.
public struct GroupLink: Hashable, Sendable {
  public let id: GroupLinkID
  public let group: GroupID
  /// The number of people who may join by it.
  public let people: Int
  public let createdAt: Instant
  public let endsAt: Instant
  /// True if a person without an account may make one by the link. Only the server's operator makes such links.
  public let makesAccounts: Bool
  /// The number of people who have joined by it.
  public internal(set) var joined = 0

  /// The most links of one group that have not ended.
  public static let most = 100
  public static let allowedPeople = 1...PeopleGroup.mostMembers
  /// The longest time from the creation to the end.
  public static let longest = TimeSpan.hours(90 * 24)

  /// Nil if `people` is not in `allowedPeople`, or if the end is not after the creation or more than `longest`
  /// after it.
  public init?(
    id: GroupLinkID = .random(), group: GroupID, people: Int, createdAt: Instant, endsAt: Instant,
    makesAccounts: Bool = false
  ) {
    guard Self.allowedPeople.contains(people), endsAt > createdAt, endsAt <= createdAt + Self.longest else {
      return nil
    }
    self.id = id
    self.group = group
    self.people = people
    self.createdAt = createdAt
    self.endsAt = endsAt
    self.makesAccounts = makesAccounts
  }
}
