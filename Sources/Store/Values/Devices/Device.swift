import AlarmEngine

/// A phone, or the app on it that reports.
public struct Device: Hashable, Sendable {
  /// The most devices that an account may have.
  public static let mostOfAccount = 1000

  public let id: DeviceID
  /// Nil for an unclaimed device. It can report, but nobody sees it before an account claims it.
  public internal(set) var account: AccountID?
  /// True if the account is private, so that nothing the device reports is kept.
  public internal(set) var isPrivate = false
  public var name: String
  /// The two letters shown on OwnTracks' maps; empty for none.
  public var trackerID: String
  public var isArmed: Bool
  /// The settings, as JSON that the server defines.
  public var settings: String
  /// Silence for longer than this is an alarm; nil if the device need not report.
  public var reportInterval: TimeSpan?
  /// The key for OwnTracks' encrypted messages.
  public var passphrase: String?
  public let createdAt: Instant
  public internal(set) var revision: Revision
  /// The last fix, by its own time.
  public internal(set) var lastFix: Fix?
  /// When the last report arrived.
  public internal(set) var lastReceivedAt: Instant?
  /// The last status. It is saved by the ingest, not with the device.
  public var status = DeviceStatus()

  public init(
    id: DeviceID = .random(), account: AccountID?, name: String, trackerID: String = "", isArmed: Bool = true,
    settings: String = "{}", reportInterval: TimeSpan? = nil, passphrase: String? = nil, createdAt: Instant,
    revision: Revision = .first
  ) {
    self.id = id
    self.account = account
    self.name = name
    self.trackerID = trackerID
    self.isArmed = isArmed
    self.settings = settings
    self.reportInterval = reportInterval
    self.passphrase = passphrase
    self.createdAt = createdAt
    self.revision = revision
  }
}
