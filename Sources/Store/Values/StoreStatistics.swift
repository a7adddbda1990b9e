import AlarmEngine

/// Figures for the metrics. Figures about large tables are estimates.
public struct StoreStatistics: Hashable, Sendable {
  public var accounts = 0
  public var devices = 0
  public var unclaimedDevices = 0
  public var zones = 0
  public var openAlarms = 0
  public var alarms = 0
  /// The number of waiting or leased items.
  public var outbox = 0
  /// The due time of the longest overdue item; nil if nothing is waiting.
  public var oldestDue: Instant?
  /// The size of the database file in bytes, and that of its log.
  public var fileBytes: Int64 = 0
  public var logBytes: Int64 = 0
  /// The unused bytes inside the file.
  public var freeBytes: Int64 = 0

  public init() {}
}
