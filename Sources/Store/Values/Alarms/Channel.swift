import AlarmEngine

/// A destination for an account's alarms.
public struct Channel: Hashable, Sendable {
  public let id: ChannelID
  public let account: AccountID
  public let kind: ChannelKind
  public var name: String
  /// The part of the address that may be shown again, as JSON.
  public var address: String
  /// The secrets, as JSON. They are returned to the delivery only.
  public var secrets: String
  public var isActive: Bool
  public var escalationStep: EscalationStep
  /// The notices that go to the channel.
  public var rule: ChannelRule
  /// The daily test; nil if the channel is tested on request only.
  public var dailyTest: DailyTest?
  /// The result of the last test; nil if there was none. Written by `SQLStore.record`, never by `save`.
  public internal(set) var lastTest: ChannelTest?
  public let createdAt: Instant
  public internal(set) var revision: Revision

  public init(
    id: ChannelID = .random(), account: AccountID, kind: ChannelKind, name: String, address: String,
    secrets: String = "{}", isActive: Bool = true, escalationStep: EscalationStep = .first,
    rule: ChannelRule = .everything, dailyTest: DailyTest? = nil, lastTest: ChannelTest? = nil,
    createdAt: Instant,
    revision: Revision = .first
  ) {
    self.id = id
    self.account = account
    self.kind = kind
    self.name = name
    self.address = address
    self.secrets = secrets
    self.isActive = isActive
    self.escalationStep = escalationStep
    self.rule = rule
    self.dailyTest = dailyTest
    self.lastTest = lastTest
    self.createdAt = createdAt
    self.revision = revision
  }
}
