/// What the server has that says where a person or a place of an account is, in rows.
public struct StoredPlaces: Hashable, Sendable {
  /// Reported and imported ones, and each device's last.
  public var positions = 0
  /// Those of today and those of the past.
  public var zones = 0
  public var reminders = 0
  public var alarms = 0
  public var collections = 0
  public var shares = 0
  /// Events, commands, states of engines, imports, bodies that could not be read, notices, waiting deliveries.
  public var others = 0

  public init() {}

  public var total: Int { positions + zones + reminders + alarms + collections + shares + others }

  public static func += (sum: inout Self, more: Self) {
    sum.positions += more.positions
    sum.zones += more.zones
    sum.reminders += more.reminders
    sum.alarms += more.alarms
    sum.collections += more.collections
    sum.shares += more.shares
    sum.others += more.others
  }
}
