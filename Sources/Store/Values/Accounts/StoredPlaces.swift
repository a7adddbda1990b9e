/// The numbers of stored rows that tell where a person or a place of an account is.
public struct StoredPlaces: Hashable, Sendable {
  /// Reported and imported positions, and the last one of each device.
  public var positions = 0
  /// Current and past zones.
  public var zones = 0
  public var reminders = 0
  public var alarms = 0
  public var collections = 0
  public var shares = 0
  /// Events, commands, engine states, imports, raw bodies, notices and waiting deliveries.
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
