import AlarmEngine
import Geometry

/// A stored companion alarm: tells a person when one of their devices and another device come near each other, or part.
///
/// The other device is the account's own, or one whose place its owner shows the account (`Share.Precision.place`).
public struct Companion: Hashable, Sendable {
  /// Why it watches no more.
  public enum End: Int64, Sendable, CaseIterable {
    /// The target's place is not shown to the account any more.
    case notShared = 1
    /// The target's owner refused it.
    case refused
    /// The target was deleted.
    case deviceGone
  }

  public let id: CompanionID
  /// Whose alarm it is.
  public let account: AccountID
  /// The account's own device: alarms ring as its.
  public let device: DeviceID
  /// Nil where it was deleted.
  public internal(set) var target: DeviceID?
  /// Who is met, in the watcher's words.
  public let name: String
  public let trigger: CompanionTrigger
  public let distance: Distance
  public let assurance: Assurance
  /// Older positions say nothing.
  public let horizon: TimeSpan
  public let createdAt: Instant
  /// Nothing is judged before; nil while the device is disarmed.
  public internal(set) var begins: Instant?
  public internal(set) var end: End?
  /// When the watcher was told of the end; nil while it watches, and where its end is still to be told.
  public internal(set) var endedAt: Instant?
  /// Of the engine (`CompanionAlarm`); nil before the first judgement.
  public internal(set) var snapshot: [UInt8]?

  public init(
    id: CompanionID = .random(), account: AccountID, device: DeviceID, target: DeviceID, name: String,
    trigger: CompanionTrigger, distance: Distance, assurance: Assurance, horizon: TimeSpan,
    createdAt: Instant
  ) {
    self.id = id
    self.account = account
    self.device = device
    self.target = target
    self.name = name
    self.trigger = trigger
    self.distance = distance
    self.assurance = assurance
    self.horizon = horizon
    self.createdAt = createdAt
    begins = createdAt
  }

  /// Of one account, those that have ended among them.
  public static let most = 50
  /// About one device: each has to be judged with each of its positions.
  public static let mostOfTarget = 50
}

/// What of a companion alarm its account can change. Another device is another alarm, which its owner sees anew.
public struct CompanionEdit: Hashable, Sendable {
  public let name: String
  public let trigger: CompanionTrigger
  public let distance: Distance
  public let assurance: Assurance
  public let horizon: TimeSpan

  public init(
    name: String, trigger: CompanionTrigger, distance: Distance, assurance: Assurance, horizon: TimeSpan
  ) {
    self.name = name
    self.trigger = trigger
    self.distance = distance
    self.assurance = assurance
    self.horizon = horizon
  }
}

/// A companion alarm with what has to be known to judge it.
public struct CompanionSight: Hashable, Sendable {
  public let companion: Companion
  /// Whose the target is; nil where it is gone.
  public let owner: AccountID?
  /// The target's own settings, JSON.
  public let targetSettings: String
  /// Whether the watcher's account may know where the target is.
  public let isAllowed: Bool
  /// When the permission ends by itself; nil where it does not.
  public let allowedUntil: Instant?
}

/// A companion alarm as the target's owner sees it.
public struct CompanionAbout: Hashable, Sendable {
  public let companion: Companion
  public let watcherLogin: String
  public let watcherName: String
}

/// How near another device may come, and where it was last.
public struct CompanionNeighbour: Hashable, Sendable {
  public let trigger: CompanionTrigger
  public let distance: Distance
  public let assurance: Assurance
  /// Whose the other device is, and its own settings, JSON.
  public let owner: AccountID
  public let settings: String
  public let lastFix: Fix?
}

/// What judging a companion alarm changes of it.
public struct CompanionUpdate: Hashable, Sendable {
  public let id: CompanionID
  public let begins: Instant?
  public let snapshot: [UInt8]?
  /// Set where the watcher is told of the end in the same transaction.
  public let end: Companion.End?

  public init(id: CompanionID, begins: Instant?, snapshot: [UInt8]?, end: Companion.End? = nil) {
    self.id = id
    self.begins = begins
    self.snapshot = snapshot
    self.end = end
  }
}

/// What an ended or refused companion alarm was.
public struct EndedCompanion: Hashable, Sendable {
  public let companion: Companion
  /// Whether the target's owner refused it; otherwise its own account deleted it.
  public let isRefused: Bool
}
