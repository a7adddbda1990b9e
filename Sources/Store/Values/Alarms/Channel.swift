import AlarmEngine

/// Where alarms of an account go.
public struct Channel: Hashable, Sendable {
  public let id: ChannelID
  public let account: AccountID
  public let kind: ChannelKind
  public var name: String
  /// JSON: what may be shown again.
  public var address: String
  /// JSON: what is never returned to anybody but the delivery.
  public var secrets: String
  public var isActive: Bool
  /// 0 at once; an alarm that nobody answers goes on to step 1, 2 and so on.
  public var escalationStep: Int
  /// Nil: all.
  public var devices: [DeviceID]?
  /// Nil: it is tested when somebody asks for it only.
  public var dailyTest: DailyTest?
  /// What came of the last test; nil as long as there was none. Written by `SQLStore.record`, never by `save`.
  public internal(set) var lastTest: ChannelTest?
  public let createdAt: Instant
  public internal(set) var revision: Revision

  public init(
    id: ChannelID = .random(), account: AccountID, kind: ChannelKind, name: String, address: String,
    secrets: String = "{}", isActive: Bool = true, escalationStep: Int = 0, devices: [DeviceID]? = nil,
    dailyTest: DailyTest? = nil, lastTest: ChannelTest? = nil, createdAt: Instant,
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
    self.devices = devices
    self.dailyTest = dailyTest
    self.lastTest = lastTest
    self.createdAt = createdAt
    self.revision = revision
  }
}
