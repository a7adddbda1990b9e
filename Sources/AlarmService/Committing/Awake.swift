import AlarmEngine
import Store

/// Since when phones have been able to report, to this process or to another one of the same store.
struct Awake: Equatable, Sendable {
  var since: Instant
  /// Until then it is not known whether others were there while this process was not, so no silence is told of.
  var knownAt: Instant

  init(since: Instant, knownAt: Instant? = nil) {
    self.since = since
    self.knownAt = knownAt ?? since
  }
}

/// Follows for how long reports could be taken: by this process, whose pauses it notices, and by the others on the same
/// store. A pause is a start, a sleep of the machine, a process that was stopped (`SIGSTOP`), and a store that could not be
/// reached.
struct AwakeWatch: Sendable {
  /// The name under which the store knows the process; nil where it is the only one.
  private let process: String?
  /// Since when this process has been there, or another one before it, as far as is proven.
  private var proven: Instant
  /// The end of the last pause.
  private var beganAt: Instant
  /// When it was last certain that reports could be taken, by a clock that no one sets.
  private var lastSign: TimeSpan
  private var hasAsked = false
  private(set) var awake: Awake

  /// Between two notes to the store.
  static let interval = TimeSpan.seconds(10)
  /// Others that were seen so shortly before a start are asked for before any silence is told of: as long as their next
  /// note may take.
  static let slack = TimeSpan.seconds(25)
  /// Without a sign for so long there was a pause. Phones repeat what is put off for less.
  static let pause = TimeSpan.seconds(30)

  init(process: String?, at now: Instant, elapsed: TimeSpan) {
    self.process = process
    (proven, beganAt, lastSign) = (now, now, elapsed)
    awake = Awake(since: now)
  }

  /// Nobody could report to this process until now.
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

  /// Whether it is so long ago that reports could be taken that the next look finds a pause.
  func isAfterPause(elapsed: TimeSpan) -> Bool { elapsed - lastSign >= Self.pause }

  /// To be called before anything is judged.
  /// - Parameter elapsed: by a clock that goes on while the process is stopped.
  /// - Throws: what the store does. Then nothing can be taken either, which counts as a pause if it lasts.
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
    // The next look, or the one after it, is the last that they are waited for.
    awake = Awake(since: found.likely, knownAt: beganAt + Self.slack + Self.interval)
  }
}
