import AlarmEngine
import Store

/// Holds back the tellings of a zone that makes alarm after alarm on one device: the defence against a fault of our own,
/// since nobody can enter a place so often.
///
/// Every alarm is recorded all the same, and one that goes on ringing is told by its first repeat. So nobody is left
/// without word; nobody gets hundreds of messages either.
struct AlarmBreaker: Sendable {
  /// More new alarms than this of one zone and device are one alarm.
  static let most = 20
  static let span = TimeSpan.minutes(1)

  private struct Place: Hashable {
    let device: DeviceID
    let zone: ZoneID
  }
  private var recent: [Place: [Instant]] = [:]
  private var logged: [Place: Instant] = [:]

  /// How many alarms were made within the span before `now`.
  func count(_ device: DeviceID, _ zone: ZoneID, at now: Instant) -> Int {
    recent[Place(device: device, zone: zone)]?.count { Self.counts($0, at: now) } ?? 0
  }

  /// An alarm was made, and is in the store.
  mutating func note(_ device: DeviceID, _ zone: ZoneID, at now: Instant) {
    let place = Place(device: device, zone: zone)
    // More than are needed to say "too many" need not be remembered.
    recent[place] = (recent[place] ?? []).filter { Self.counts($0, at: now) }.suffix(Self.most) + [now]
    guard recent.count > 1000 else { return }
    recent = recent.filter { $0.value.contains { Self.counts($0, at: now) } }
    logged = logged.filter { Self.counts($0.value, at: now) }
  }

  /// Whether to say so in the log: once in the span.
  mutating func isNews(_ device: DeviceID, _ zone: ZoneID, at now: Instant) -> Bool {
    let place = Place(device: device, zone: zone)
    if let last = logged[place], Self.counts(last, at: now) { return false }
    logged[place] = now
    return true
  }

  /// A time ahead of now is from before the clock was set back.
  private static func counts(_ time: Instant, at now: Instant) -> Bool { time > now - span && time <= now }
}
