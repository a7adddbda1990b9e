import AlarmEngine
import Geometry

/// A stored companion alarm. It tells a person when one of their devices and another device come near each
/// other, or part.
///
/// The other device is the account's own, or one whose place its owner shows the account (`Share.Precision.place`).
public struct Companion: Hashable, Sendable {
  /// The reason why the alarm has ended.
  public enum End: Int64, Sendable, CaseIterable {
    /// The target's place is no longer shared with the account.
    case notShared = 1
    /// The target's owner refused it.
    case refused
    /// The target was deleted.
    case deviceGone
  }

  /// The distance at which it rings, on which of the account's own devices.
  public let rules: CompanionRules
  /// The account that the alarm belongs to.
  public let account: AccountID
  /// Nil if it was deleted.
  public internal(set) var target: DeviceID?
  /// The name that the watcher gave the target.
  public let name: String
  public let createdAt: Instant
  /// The time from which positions are judged; nil while the device is disarmed.
  public internal(set) var begins: Instant?
  public internal(set) var end: End?
  /// When the watcher was told of the end; nil before that.
  public internal(set) var endedAt: Instant?
  /// The state of the engine (`CompanionAlarm`); nil before the first judgement.
  public internal(set) var snapshot: [UInt8]?

  public init(
    _ rules: CompanionRules, account: AccountID, target: DeviceID, name: String, createdAt: Instant
  ) {
    self.rules = rules
    self.account = account
    self.target = target
    self.name = name
    self.createdAt = createdAt
    begins = createdAt
  }

  public var id: CompanionID { rules.companion }
  /// The account's own device, which the alarms are about.
  public var device: DeviceID { rules.device }

  /// The most companion alarms of one account, ended ones included.
  public static let most = 50
  /// The most companion alarms about one device. Each position of the device is judged for every one of them.
  public static let mostOfTarget = 50
}

/// A companion alarm with the facts needed to judge it.
public struct CompanionSight: Hashable, Sendable {
  public let companion: Companion
  /// The owner of the target; nil if the target is gone.
  public let owner: AccountID?
  /// The target's own settings, JSON.
  public let targetSettings: String
  /// True if the watcher's account may know where the target is.
  public let isAllowed: Bool
  /// When the permission ends by itself; nil if it does not.
  public let allowedUntil: Instant?
}

/// A companion alarm as the target's owner sees it.
public struct CompanionAbout: Hashable, Sendable {
  public let companion: Companion
  public let watcherLogin: String
  public let watcherName: String
}

/// The other device of a companion alarm and its last position, with the alarm's rules.
public struct CompanionNeighbour: Hashable, Sendable {
  public let rules: CompanionRules
  /// The owner of the other device, and that device's settings as JSON.
  public let owner: AccountID
  public let settings: String
  public let lastFix: Fix?
}

/// The changes to a companion alarm after it was judged.
public struct CompanionUpdate: Hashable, Sendable {
  public let id: CompanionID
  public let begins: Instant?
  public let snapshot: [UInt8]?
  /// Set if the watcher is told of the end in the same transaction.
  public let end: Companion.End?

  public init(id: CompanionID, begins: Instant?, snapshot: [UInt8]?, end: Companion.End? = nil) {
    self.id = id
    self.begins = begins
    self.snapshot = snapshot
    self.end = end
  }
}

/// A companion alarm that was deleted or refused.
public struct EndedCompanion: Hashable, Sendable {
  public let companion: Companion
  /// True if the target's owner refused it. If false, its own account deleted it.
  public let isRefused: Bool
}
