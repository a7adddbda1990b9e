import AlarmEngine
import Store

/// The time since when phones have been able to report, to this process or to another one of the same store.
struct Awake: Equatable, Sendable {
  var since: Instant
  /// Before this time it is not known whether other processes were running while this one was not, so no
  /// silence is reported.
  var knownAt: Instant

  init(since: Instant, knownAt: Instant? = nil) {
    self.since = since
    self.knownAt = knownAt ?? since
  }
}

/// Measures for how long reports could be taken: by this process, whose pauses it detects, and by other
/// processes on the same store. A pause is a start, a sleep of the machine, a suspended process (`SIGSTOP`),
/// or a store that could not be reached.
struct AwakeWatch: Sendable {
  /// The name under which the store knows the process; nil if it is the only one.
  private let process: String?
  /// The time since when this process, or another one before it, has provably been running.
  private var proven: Instant
  /// The end of the last pause.
  private var beganAt: Instant
  /// The last time at which reports could certainly be taken, by a clock that cannot be set.
  private var lastSign: TimeSpan
  private var hasAsked = false
  private(set) var awake: Awake

  /// The interval between two notes in the store.
  static let interval = TimeSpan.seconds(10)
  /// Other processes seen at most this long before a start may still be running, so their next note is
  /// awaited before any silence is reported.
  static let slack = TimeSpan.seconds(25)
  /// The time without a sign after which a pause is assumed. Phones repeat posts that are delayed for less.
  static let pause = TimeSpan.seconds(30)

  init(process: String?, at now: Instant, elapsed: TimeSpan) {
    self.process = process
    (proven, beganAt, lastSign) = (now, now, elapsed)
    awake = Awake(since: now)
  }

  /// Records that no phone could report to this process until now.
  mutating func pauseEnded(at now: Instant) {
    (proven, beganAt) = (now, now)
    awake = Awake(since: now)
    hasAsked = false
  }

  /// The clock was set back to `now`.
  mutating func clockSetBack(to now: Instant) {
    proven = min(proven, now)
    beganAt = min(beganAt, now)
    awake = Awake(since: min(awake.since, now), knownAt: min(awake.knownAt, now))
    hasAsked = false
  }

  /// True if the last sign is so old that the next check finds a pause.
  func isAfterPause(elapsed: TimeSpan) -> Bool { elapsed - lastSign >= Self.pause }

  /// Checks for a pause. Must be called before anything is judged.
  /// - Parameter elapsed: by a clock that continues while the process is stopped.
  /// - Throws: errors of the store. Nothing can be taken then either, which counts as a pause if it lasts.
  mutating func look(
    _ store: SQLStore, at now: Instant, elapsed: TimeSpan
  ) async throws(StoreError) {
    if isAfterPause(elapsed: elapsed) { pauseEnded(at: now) }
    guard let process else {
      lastSign = elapsed
      return
    }
    guard !hasAsked || elapsed - lastSign >= Self.interval else { return }
    let found = try await store.noteAwake(process, since: proven, at: now, slack: Self.slack)
    lastSign = elapsed
    hasAsked = true
    proven = found.proven
    guard found.likely < found.proven, now < beganAt + Self.slack else {
      awake = Awake(since: found.proven)
      return
    }
    // The next check, or the one after it, is the last that waits for them.
    awake = Awake(since: found.likely, knownAt: beganAt + Self.slack + Self.interval)
  }
}
