import AlarmEngine
import Store

/// Holds back notifications when one zone raises one alarm after another on a device. Nobody can enter a
/// place that often, so this protects people from a fault in this program.
///
/// Every alarm is still recorded, and one that continues to ring is announced by its first repeat. People
/// still hear of it, but do not get hundreds of messages.
struct AlarmBreaker: Sendable {
  /// The number of new alarms of one zone and device, within `span`, that are notified one by one.
  static let most = 20
  static let span = TimeSpan.minutes(1)

  private struct Place: Hashable {
    let device: DeviceID
    let zone: ZoneID
  }
  private var recent: [Place: [Instant]] = [:]
  private var logged: [Place: Instant] = [:]

  /// How many alarms the zone made on the device in the last `span`.
  func count(_ device: DeviceID, _ zone: ZoneID, at now: Instant) -> Int {
    recent[Place(device: device, zone: zone)]?.count { Self.counts($0, at: now) } ?? 0
  }

  /// Counts an alarm that was made and is in the store.
  mutating func note(_ device: DeviceID, _ zone: ZoneID, at now: Instant) {
    let place = Place(device: device, zone: zone)
    // Only as many times are remembered as are needed to decide that there were too many.
    recent[place] = (recent[place] ?? []).filter { Self.counts($0, at: now) }.suffix(Self.most) + [now]
    guard recent.count > 1000 else { return }
    recent = recent.filter { $0.value.contains { Self.counts($0, at: now) } }
    logged = logged.filter { Self.counts($0.value, at: now) }
  }

  /// True to log the event: true at most once in each `span`.
  mutating func isNews(_ device: DeviceID, _ zone: ZoneID, at now: Instant) -> Bool {
    let place = Place(device: device, zone: zone)
    if let last = logged[place], Self.counts(last, at: now) { return false }
    logged[place] = now
    return true
  }

  /// True if a time lies in the last `span`. A time after `now` was noted before the clock was set back.
  private static func counts(_ time: Instant, at now: Instant) -> Bool { time > now - span && time <= now }
}
