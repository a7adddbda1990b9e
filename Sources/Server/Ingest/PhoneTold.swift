import AlarmEngine
import Formats
import Geometry
import Store

/// The status that a phone reported at one time.
struct PhoneTold: Sendable {
  var at: Instant
  /// 0 to 1.
  var battery: Double?
  var isCharging: Bool?
  var motion: [String] = []
  var altitude: Distance?
  /// The SOS button was pressed.
  var isDistress = false
  var position: Coordinate?

  /// Nil for what says nothing.
  init?(_ state: PhoneState, at: Instant, fix: ReportedFix?) {
    self.at = at
    battery = state.battery
    isCharging = state.isCharging
    motion = Array(state.motion.prefix(10)).map { String($0.prefix(50)) }
    altitude = fix?.details.altitude
    isDistress = state.alarm.map(Self.isDistress) ?? false
    position = fix?.fix.position
    let saysNothing = battery == nil && isCharging == nil && motion.isEmpty && altitude == nil
    if saysNothing, !isDistress, fix == nil { return nil }
  }

  init(at: Instant) { self.at = at }

  /// `alarm=sos`, as Traccar's clients and OsmAnd's protocol write it.
  static func isDistress(_ alarm: String) -> Bool { alarm.lowercased() == "sos" }
}

extension DeviceStatus {
  /// Whether the status has to be stored. One that repeats the last is stored again only after some minutes.
  func isNews(after former: DeviceStatus) -> Bool {
    var same = self
    same.toldAt = former.toldAt
    guard same == former, let toldAt, let earlier = former.toldAt else { return self != former }
    return toldAt - earlier >= .minutes(5)
  }

  /// Takes over a status that is not older than this one. A battery level or height that it does not state
  /// stays as it was.
  mutating func take(_ told: PhoneTold, by now: Instant) {
    // Otherwise a report of a clock that was ahead would keep all later ones out.
    let at = min(told.at, now)
    if let toldAt, at < toldAt { return }
    toldAt = at
    if let level = told.battery { battery = level }
    // A level without a statement about charging can be either: the last statement is not true for ever.
    if told.battery != nil || told.isCharging != nil { isCharging = told.isCharging }
    motion = told.motion
    if let height = told.altitude { altitude = height }
  }
}
