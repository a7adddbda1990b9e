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
  /// The person for whom the link was made, empty for several; a new account by the link has this name.
  public var note = ""
  /// The login proposed for a new account.
  public var login: String?
  /// The address to which the link was or is being mailed; nil for a link that is given to people otherwise.
  public var mail: String?
  /// The time at which the mail server accepted the link's mail.
  public internal(set) var mailedAt: Instant?
  /// The number of people who have joined by it.
  public internal(set) var joined = 0

  /// The joining of one person.
  public struct Use: Hashable, Sendable {
    public let login: String
    public let at: Instant
  }
  /// The people who have joined by it, in the order of joining, without deleted accounts and without memberships
  /// that are no longer listed. A person who left and came back is there twice.
  public internal(set) var uses: [Use] = []

  /// The most links of one group that have not ended: one for each member.
  public static let most = PeopleGroup.mostMembers
  /// The most bytes of a note, as of an account's name.
  public static let longestNote = 200
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
