import AlarmEngine

/// A person whom the owner lets close their alarms or put them to sleep. Either side ends it at once.
public struct Deputy: Hashable, Sendable {
  public let id: DeputyID
  public let owner: AccountID
  /// As it was written; of the account once there is one.
  public let login: String
  /// Who has agreed; nil until somebody with that login has.
  public internal(set) var account: AccountID?
  public let createdAt: Instant

  public init(id: DeputyID = .random(), owner: AccountID, login: String, createdAt: Instant) {
    self.id = id
    self.owner = owner
    self.login = login
    self.createdAt = createdAt
  }

  /// Of one account.
  public static let most = 50
  /// An offer that was not accepted by then is none.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// Somebody whose alarms an account may answer, or is offered to.
public struct DeputyFor: Hashable, Sendable {
  public enum Right: Hashable, Sendable {
    /// As a person whom they named.
    case deputy(DeputyID, isAccepted: Bool)
    /// As the manager of a group, whom a member lets.
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

/// The alarm of somebody who lets the account answer it.
public struct OthersAlarm: Hashable, Sendable {
  public let alarm: AlarmRecord
  public let ownerLogin: String
  public let ownerName: String
  /// Empty where the device is gone.
  public let deviceName: String

  public init(alarm: AlarmRecord, ownerLogin: String, ownerName: String, deviceName: String) {
    self.alarm = alarm
    self.ownerLogin = ownerLogin
    self.ownerName = ownerName
    self.deviceName = deviceName
  }
}

/// A right to answer that has just ended.
public struct EndedDeputy: Hashable, Sendable {
  public let owner: AccountID
  public let ownerLogin: String
  /// Nil: nobody had accepted it.
  public let answerer: AccountID?
  public let answererLogin: String

  public init(owner: AccountID, ownerLogin: String, answerer: AccountID?, answererLogin: String) {
    self.owner = owner
    self.ownerLogin = ownerLogin
    self.answerer = answerer
    self.answererLogin = answererLogin
  }
}
