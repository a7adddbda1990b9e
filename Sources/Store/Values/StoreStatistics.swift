import AlarmEngine

/// Figures for the metrics. Those of large tables are estimates.
public struct StoreStatistics: Hashable, Sendable {
  public var accounts = 0
  public var devices = 0
  public var unclaimedDevices = 0
  public var zones = 0
  public var openAlarms = 0
  public var alarms = 0
  /// Waiting or leased.
  public var outbox = 0
  /// The longest overdue; nil when nothing is waiting.
  public var oldestDue: Instant?
  /// Of the file, in bytes; with what its log holds.
  public var fileBytes: Int64 = 0
  public var logBytes: Int64 = 0
  /// Inside the file, in bytes, unused.
  public var freeBytes: Int64 = 0

  public init() {}
}
