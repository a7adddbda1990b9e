import AlarmEngine

/// Rate limits for signing in and for sending mail, common to all processes of a database.
///
/// A crash may lose the last few attempts.
///
/// For each bucket the time is stored at which it will be full again (the "generic cell rate algorithm"). It
/// is one number, read and written by one statement, so concurrent attempts wait for each other's row and
/// each is counted once. A full bucket needs no row.
extension SQLStore {
  /// The time at which the bucket is full again, at least now. A stored time that is later than an empty
  /// bucket would need was written before a clock was set back; the bucket then counts as full. `?2` is now,
  /// `?4` the time at which it would be full if it were empty now.
  private static let fullAt = "max(CASE WHEN try_count.full_at > ?4 THEN ?2 ELSE try_count.full_at END, ?2)"

  /// Takes one attempt from each bucket, in order, until one is empty. Attempts taken before that stay taken.
  /// - Returns: the refusal by the empty bucket; nil if none was empty.
  public func takeTries(
    _ buckets: [TryBucket], at now: Instant
  ) async throws(StoreError) -> TryRefusal? {
    try await write(.count) { database in
      for bucket in buckets {
        let empty = now + bucket.whole
        let taken = try database.run(
          """
          INSERT INTO try_count (key, full_at) VALUES (?1, ?2 + ?3)
          ON CONFLICT (key) DO UPDATE SET full_at = \(Self.fullAt) + ?3 WHERE \(Self.fullAt) + ?3 <= ?4
          """, [bucket.key.sql, now.sql, bucket.refill.milliseconds, empty.sql])
        guard taken == 0 else { continue }
        let stored = try database.integer("SELECT full_at FROM try_count WHERE key = ?", [bucket.key.sql])
        let full = stored.map { Instant(sql: $0) } ?? empty
        return TryRefusal(bucket: bucket, wait: max(.milliseconds(1), full + bucket.refill - empty))
      }
      return nil
    }
  }

  /// Returns one attempt to each bucket, after a successful attempt.
  public func giveBackTries(_ buckets: [TryBucket], at now: Instant) async throws(StoreError) {
    try await write(.count) { database in
      for bucket in buckets {
        try database.run(
          "UPDATE try_count SET full_at = max(\(Self.fullAt) - ?3, ?2) WHERE key = ?1",
          [bucket.key.sql, now.sql, bucket.refill.milliseconds, (now + bucket.whole).sql])
      }
    }
  }
}
