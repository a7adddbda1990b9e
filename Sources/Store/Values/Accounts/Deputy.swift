import AlarmEngine

/// A person who may close the owner's alarms or put them to sleep. Either side can end this at any time.
public struct Deputy: Hashable, Sendable {
  public let id: DeputyID
  public let owner: AccountID
  /// The login as the owner wrote it, or that of the account once the deputy has accepted.
  public let login: String
  /// The deputy's account; nil until somebody with that login has accepted.
  public internal(set) var account: AccountID?
  public let createdAt: Instant

  public init(id: DeputyID = .random(), owner: AccountID, login: String, createdAt: Instant) {
    self.id = id
    self.owner = owner
    self.login = login
    self.createdAt = createdAt
  }

  /// The most deputies of one account.
  public static let most = 50
  /// The time after which an offer that was not accepted expires.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// A person whose alarms an account may answer, or has been offered to answer.
public struct DeputyFor: Hashable, Sendable {
  public enum Right: Hashable, Sendable {
    /// As a deputy whom the owner named.
    case deputy(DeputyID, isAccepted: Bool)
    /// As the manager of a group, with a member's permission.
    case manager(GroupMemberID, groupName: String)
  }

  public let right: Right
  public let owner: AccountID
  public let ownerLogin: String
  public let ownerName: String

  public init(right: Right, owner: AccountID, ownerLogin: String, ownerName: String) {
    self.right = right
    self.owner = owner
    self.ownerLogin = ownerLogin
    self.ownerName = ownerName
  }
}

/// An alarm of another account that this account may answer.
public struct OthersAlarm: Hashable, Sendable {
  public let alarm: AlarmRecord
  public let ownerLogin: String
  public let ownerName: String
  /// Empty if the device is gone.
  public let deviceName: String

  public init(alarm: AlarmRecord, ownerLogin: String, ownerName: String, deviceName: String) {
    self.alarm = alarm
    self.ownerLogin = ownerLogin
    self.ownerName = ownerName
    self.deviceName = deviceName
  }
}

/// A right to answer alarms that has just ended.
public struct EndedDeputy: Hashable, Sendable {
  public let owner: AccountID
  public let ownerLogin: String
  /// The account that had the right; nil if nobody had accepted it.
  public let answerer: AccountID?
  public let answererLogin: String

  public init(owner: AccountID, ownerLogin: String, answerer: AccountID?, answererLogin: String) {
    self.owner = owner
    self.ownerLogin = ownerLogin
    self.answerer = answerer
    self.answererLogin = answererLogin
  }
}
