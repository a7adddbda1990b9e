import AlarmEngine

/// When the processes of a database were able to take reports, so that nobody takes a pause of theirs for a phone's
/// silence.
///
/// A crash of the database may forget the last notes; then a pause is seen where there was none.
public protocol AwakeStore: Sendable {
  /// Notes that a process is there, and looks for how long it or others have been without a pause.
  /// - Parameters:
  ///   - process: its name, which no other process of the database has at the time.
  ///   - since: since when the process itself has been there without a pause, or what it was last told is proven.
  ///   - slack: a process that was last seen so shortly before `since` probably goes on. Nor does one that was seen so far
  ///     ahead of `now` count: the clock was set.
  func noteAwake(
    _ process: String, since: Instant, at now: Instant, slack: TimeSpan
  ) async throws(StoreError) -> AwakeSince
}
