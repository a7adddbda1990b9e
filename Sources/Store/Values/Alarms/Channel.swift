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
  public let createdAt: Instant
  public internal(set) var revision: Revision

  public init(
    id: ChannelID = .random(), account: AccountID, kind: ChannelKind, name: String, address: String,
    secrets: String = "{}", isActive: Bool = true, escalationStep: Int = 0, devices: [DeviceID]? = nil,
    createdAt: Instant, revision: Revision = .first
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
    self.createdAt = createdAt
    self.revision = revision
  }
}
