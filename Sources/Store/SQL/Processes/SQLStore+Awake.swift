import AlarmEngine

/// The times at which the processes of a database could take reports, so that a pause of theirs is not taken
/// for a phone's silence.
///
/// A crash of the database may lose the last rows; a pause is then assumed where there was none.
///
/// Each process has a row: when it was last seen, and since when, as far as it knew, some process has run
/// without a pause. A process that starts begins anew. It takes over the beginning of another row once that
/// row was seen after its own start, which proves that the other process was running. The beginning therefore
/// survives when all processes are restarted one after the other, and is lost when none was running.
extension SQLStore {
  /// Rows not seen for this long are deleted: their processes are gone.
  private static let kept = TimeSpan.hours(24)

  /// Records that a process is running, and returns since when it or others have run without a pause.
  /// - Parameters:
  ///   - process: its name, unique among the running processes of the database.
  ///   - since: since when the process itself has run without a pause, or the last proven time returned to
  ///     it.
  ///   - slack: a process last seen at most this long before `since` is taken as probably still running. A
  ///     row seen more than this after `now` is ignored: the clock was set.
  public func noteAwake(
    _ process: String, since: Instant, at now: Instant, slack: TimeSpan
  ) async throws(StoreError) -> AwakeSince {
    try await write(.count) { database in
      let others = try database.rows(
        "SELECT since, seen_at FROM process_awake WHERE name <> ? AND seen_at <= ?",
        [process, (now + slack).sql]
      ).map { (since: $0.instant(0), seenAt: $0.instant(1)) }
      /// Returns the earliest time that overlapping rows reach back to.
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
