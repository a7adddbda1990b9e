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
  /// The login as it was written in the invitation, or that of the account once the person has joined.
  public let login: String
  /// Empty until the invitation is accepted.
  public let name: String
  public let state: State
  /// True if the member lets the manager answer their alarms.
  public let isManagerLet: Bool
  /// The report of a person who has joined; empty for anybody else.
  public internal(set) var report: MemberReport

  public init(
    id: GroupMemberID, group: GroupID, login: String, name: String, state: State,
    isManagerLet: Bool = false, report: MemberReport = MemberReport()
  ) {
    self.id = id
    self.group = group
    self.login = login
    self.name = name
    self.state = state
    self.isManagerLet = isManagerLet
    self.report = report
  }
}

/// The information about a member that a manager sees: whether alarms would reach them. It contains no
/// positions.
public struct MemberReport: Hashable, Sendable {
  public struct Phone: Hashable, Sendable {
    public let name: String
    public let createdAt: Instant
    /// When the last report arrived; nil if none has.
    public let heardAt: Instant?
    /// Silence for longer than this is an alarm of the member; nil if the device need not report.
    public let reportInterval: TimeSpan?
    public let isArmed: Bool
    /// True if its messages are encrypted and cannot be read, so that no alarm can ring.
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

    /// True if the device has been silent for longer than `reportInterval`.
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

  /// The last time that a message to the member was not delivered.
  public struct Trouble: Hashable, Sendable {
    public let at: Instant
    /// The kind of the channel, as the API writes it; nil if the channel is gone.
    public let channelKind: String?
    /// True if a later message was delivered by the same channel.
    public let isOver: Bool

    public init(at: Instant, channelKind: String?, isOver: Bool) {
      self.at = at
      self.channelKind = channelKind
      self.isOver = isOver
    }
  }

  /// The member's phones, sorted by name.
  public var phones: [Phone] = []
  /// The group's collections that the member follows.
  public var follows: [Follow] = []
  public var trouble: Trouble?
  /// The names of the manager's other groups that the member is in.
  public var otherGroups: [String] = []

  public init() {}

  /// The time for which a failed delivery is shown.
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
  /// The account; nil if nobody had accepted the invitation.
  public let account: AccountID?
  public let login: String

  public init(group: OfferedGroup, account: AccountID?, login: String) {
    self.group = group
    self.account = account
    self.login = login
  }
}
