import AlarmEngine

/// When the processes of a database were able to take reports, so that nobody takes a pause of theirs for a phone's
/// silence.
///
/// A crash of the database may forget the last notes; then a pause is seen where there was none.
///
/// Each process has a row: when it was last seen, and since when somebody has been there without a pause, as far as it knew.
/// A process that starts begins anew, and takes over what another row says as soon as that one was seen after its own start:
/// then the other has been there meanwhile. So the beginning is handed on when all processes are restarted one after the
/// other, and is lost when none was there.
extension SQLStore {
  /// Rows of processes that are gone for good are of no use to anybody.
  private static let kept = TimeSpan.hours(24)

  /// Notes that a process is there, and looks for how long it or others have been without a pause.
  /// - Parameters:
  ///   - process: its name, which no other process of the database has at the time.
  ///   - since: since when the process itself has been there without a pause, or what it was last told is proven.
  ///   - slack: a process that was last seen so shortly before `since` probably goes on. Nor does one that was seen so far
  ///     ahead of `now` count: the clock was set.
  public func noteAwake(
    _ process: String, since: Instant, at now: Instant, slack: TimeSpan
  ) async throws(StoreError) -> AwakeSince {
    try await write(.count) { database in
      let others = try database.rows(
        "SELECT since, seen_at FROM process_awake WHERE name <> ? AND seen_at <= ?",
        [process, (now + slack).sql]
      ).map { (since: $0.instant(0), seenAt: $0.instant(1)) }
      /// As far back as rows reach into each other.
      func reach(from start: Instant, slack: TimeSpan = .zero) -> Instant {
        let met = others.filter { $0.seenAt >= start - slack && $0.since < start }.map(\.since)
          .min()
        return met.map { reach(from: $0) } ?? start
      }
      let found = AwakeSince(proven: reach(from: since), likely: reach(from: since, slack: slack))
      try database.run(
        """
        INSERT INTO process_awake (name, since, seen_at) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET since = excluded.since, seen_at = excluded.seen_at
        """, [process, found.proven.sql, now.sql])
      try database.run("DELETE FROM process_awake WHERE seen_at < ?", [(now - Self.kept).sql])
      return found
    }
  }
}
