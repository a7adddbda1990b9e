import AlarmEngine
import Formats
import Geometry
import Store

/// The status that a phone reported at one time.
package struct PhoneTold: Sendable {
  package var at: Instant
  /// The battery level, 0 to 1.
  package var battery: Double?
  package var isCharging: Bool?
  package var motion: [String] = []
  package var altitude: Distance?
  /// The SOS button was pressed.
  package var isDistress = false
  package var position: Coordinate?

  /// Returns nil for a state without any information.
  package init?(_ state: PhoneState, at: Instant, fix: ReportedFix?) {
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

  package init(at: Instant) { self.at = at }

  /// True if the value of an alarm field means SOS: `alarm=sos`, as Traccar's clients and OsmAnd's protocol
  /// send it.
  static func isDistress(_ alarm: String) -> Bool { alarm.lowercased() == "sos" }
}

extension DeviceStatus {
  /// True if the status has to be stored. An unchanged status is stored again only after some minutes.
  func isNews(after former: DeviceStatus) -> Bool {
    var same = self
    same.toldAt = former.toldAt
    guard same == former, let toldAt, let earlier = former.toldAt else { return self != former }
    return toldAt - earlier >= .minutes(5)
  }

  /// Takes over a status that is not older than this one. A battery level or height that it does not state
  /// stays as it was.
  package mutating func take(_ told: PhoneTold, by now: Instant) {
    // Without this limit, a report of a clock that was ahead would block all later ones.
    let at = min(told.at, now)
    if let toldAt, at < toldAt { return }
    toldAt = at
    if let level = told.battery { battery = level }
    // A level without a statement about charging may be either, so the last statement is not kept.
    if told.battery != nil || told.isCharging != nil { isCharging = told.isCharging }
    motion = told.motion
    if let height = told.altitude { altitude = height }
  }

  /// Consecutive malformed posts within less time than this are no alarm yet: they may be one message, sent
  /// again.
  private static let shortestMalformed = TimeSpan.minutes(1)

  /// Takes over the status in a report, and whether its messages could be read.
  package mutating func take(_ report: DeviceReport, by now: Instant) {
    for each in report.told.sorted(by: { $0.at < $1.at }) { take(each, by: now) }
    if let why = report.unread {
      unread = why
      unreadSince = unreadSince ?? now
    } else if let reason = report.malformed {
      var posts = malformed ?? MalformedPosts(count: 0, since: now, reason: reason)
      posts.count = min(posts.count + 1, MalformedPosts.most)
      malformed = posts
      guard posts.count == MalformedPosts.most, now - posts.since >= Self.shortestMalformed else { return }
      unread = .malformed
      unreadSince = unreadSince ?? now
    } else if report.isHeard {
      // A message that needs no position does not show that positions can be read again.
      if report.fixes.isEmpty, unread == .malformed { return }
      if !report.fixes.isEmpty { malformed = nil }
      unread = nil
      unreadSince = nil
    }
  }
}
