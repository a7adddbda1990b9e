import AlarmEngine

/// A person in a group, or invited to it, as the manager sees them. The person sees the same.
public struct GroupMember: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case invited(at: Instant)
    case joined(at: Instant)
    case ended(joinedAt: Instant, at: Instant, by: Side)
  }
  public enum Side: Int, Sendable {
    case member = 1
    case manager = 2
  }

  public let id: GroupMemberID
  public let group: GroupID
  /// Nil until the invitation is accepted.
  public let account: AccountID?
  /// As it was written in the invitation; of the account once there is one.
  public let login: String
  /// Empty until the invitation is accepted.
  public let name: String
  public let state: State
  /// Whether the member lets the manager answer their alarms.
  public let isManagerLet: Bool
  /// Of a person who has joined; nothing of anybody else.
  public internal(set) var report: MemberReport

  public init(
    id: GroupMemberID, group: GroupID, account: AccountID?, login: String, name: String, state: State,
    isManagerLet: Bool = false, report: MemberReport = MemberReport()
  ) {
    self.id = id
    self.group = group
    self.account = account
    self.login = login
    self.name = name
    self.state = state
    self.isManagerLet = isManagerLet
    self.report = report
  }
}

/// What a manager sees of a member: whether they would be warned. It says nothing of where they are.
public struct MemberReport: Hashable, Sendable {
  public struct Phone: Hashable, Sendable {
    public let name: String
    public let createdAt: Instant
    /// When the last report came; nil: never.
    public let heardAt: Instant?
    /// Silence for longer is an alarm of the member's; nil: it need not report.
    public let reportInterval: TimeSpan?
    public let isArmed: Bool
    /// What it sends is encrypted and cannot be read, so that nothing rings.
    public let isUnreadable: Bool

    public init(
      name: String, createdAt: Instant, heardAt: Instant?, reportInterval: TimeSpan?, isArmed: Bool,
      isUnreadable: Bool
    ) {
      self.name = name
      self.createdAt = createdAt
      self.heardAt = heardAt
      self.reportInterval = reportInterval
      self.isArmed = isArmed
      self.isUnreadable = isUnreadable
    }

    /// Whether it has been silent for longer than it may.
    public func isSilent(at now: Instant) -> Bool {
      reportInterval.map { now - (heardAt ?? createdAt) > $0 } ?? false
    }
  }

  public struct Follow: Hashable, Sendable {
    public let collection: CollectionID
    public let since: Instant

    public init(collection: CollectionID, since: Instant) {
      self.collection = collection
      self.since = since
    }
  }

  /// The last time that a message to the member did not arrive.
  public struct Trouble: Hashable, Sendable {
    public let at: Instant
    /// The kind of the channel, as the API writes it; nil: the channel is gone.
    public let channelKind: String?
    /// Whether something has arrived by the same channel since.
    public let isOver: Bool

    public init(at: Instant, channelKind: String?, isOver: Bool) {
      self.at = at
      self.channelKind = channelKind
      self.isOver = isOver
    }
  }

  /// By name.
  public var phones: [Phone] = []
  /// The group's collections that the member follows.
  public var follows: [Follow] = []
  public var trouble: Trouble?
  /// The names of the manager's other groups that the member is in.
  public var otherGroups: [String] = []

  public init() {}

  /// Trouble of before is not told.
  public static let troubleIsTold = TimeSpan.hours(30 * 24)
}

/// A membership as the person sees it.
public struct GroupMembership: Hashable, Sendable {
  public let group: OfferedGroup
  public let member: GroupMember

  public init(group: OfferedGroup, member: GroupMember) {
    self.group = group
    self.member = member
  }
}

/// A membership or an invitation that has just ended.
public struct EndedMembership: Hashable, Sendable {
  public let group: OfferedGroup
  /// Nil: it was an invitation that nobody had accepted.
  public let account: AccountID?
  public let login: String

  public init(group: OfferedGroup, account: AccountID?, login: String) {
    self.group = group
    self.account = account
    self.login = login
  }
}
