import AlarmEngine
import Geometry
import Store

/// Explains why a companion alarm rang, or did not ring, at a past time.
///
/// The positions of both devices are judged once more, under the rules that the alarm has now: the alarm
/// began anew when its rules were changed.
package struct CompanionPast: Sendable {
  package struct Answer: Sendable {
    /// Nil if nothing was judged by then.
    package let explanation: Explanation?
    /// The device whose position was not known, and the time when it was last known.
    package let unknown: (isOwn: Bool, since: Instant)?
    /// True if the alarm was watching at that time.
    package let isWatching: Bool
  }

  package let companion: Companion
  private let time: Instant
  private let end: Instant
  private let alarm: CompanionAlarm?
  private let own: [Fix]
  private let theirs: [Fix]

  /// How far back judging begins, unless there are too many positions.
  private static let span = TimeSpan.hours(24)
  private static let shortest = TimeSpan.minutes(15)
  private static let mostFixes = 25_000
  /// An event between two positions is decided by the later one. Positions up to this much later are read.
  private static let decidedWithin = TimeSpan.minutes(15)

  /// - Returns: nil if the alarm has ended, or the account may no longer see the other device.
  /// - Throws: `StoreError.notFound` for an alarm that the account has not set.
  package static func read(
    _ id: CompanionID, of account: AccountID, at time: Instant, now: Instant, _ store: SQLStore
  ) async throws -> CompanionPast? {
    let found = try await store.companions(of: account).first { $0.id == id }
    guard let found else { throw StoreError.notFound }
    let sight = try await store.companionSights(of: found.device, at: now).first { $0.companion.id == id }
    guard let sight, sight.isAllowed, sight.companion.end == nil, let owner = sight.owner,
      let target = sight.companion.target
    else { return nil }
    let companion = sight.companion
    let end = max(time, min(time + decidedWithin, now))
    guard let begins = companion.begins, begins <= time else {
      return CompanionPast(companion: companion, time: time, end: end, alarm: nil, own: [], theirs: [])
    }
    let device = try await store.device(companion.device, of: account)
    let watcher = DeviceSettings.settings([try await store.settings(of: account).json, device.settings])
    let others = DeviceSettings.settings([try await store.settings(of: owner).json, sight.targetSettings])
    var span = span
    while true {
      let alarm = CompanionAlarm(
        companion.rules, begins: max(begins, time - span), watcher: watcher, target: others)
      let range = alarm.wantsFrom...end
      let own = try await store.fixes(of: device.id, account: account, in: range, limit: mostFixes)
      let theirs = try await store.fixes(of: target, account: owner, in: range, limit: mostFixes)
      if max(own.count, theirs.count) < mostFixes || span <= shortest {
        return CompanionPast(
          companion: companion, time: time, end: end, alarm: alarm, own: own.map(\.fix),
          theirs: theirs.map(\.fix))
      }
      span = .seconds(span.seconds / 2)
    }
  }

  /// Returns the explanation. May take a second.
  package func explained() -> Answer {
    guard let alarm else { return Answer(explanation: nil, unknown: nil, isWatching: false) }
    let explanation = alarm.explanation(watcher: own, target: theirs, at: time, through: end)
    var then = alarm
    then.judge(
      watcher: own.filter { $0.measuredAt <= time }, target: theirs.filter { $0.measuredAt <= time },
      through: time)
    // A later position decided about that time, so the position counts as known.
    let isDecidedLater = explanation.map { $0.decidedAt > time } ?? false
    let unknown = isDecidedLater ? nil : then.unknown
    return Answer(
      explanation: explanation, unknown: unknown.map { ($0.side == .watcher, $0.since) }, isWatching: true)
  }
}
