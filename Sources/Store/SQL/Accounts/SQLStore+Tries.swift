import AlarmEngine

/// Tries to sign in, and mails sent, counted for all processes of a database.
///
/// A crash may forget the last few.
///
/// Of a bucket the time is kept at which it is full again (the "generic cell rate algorithm"): one number, which one
/// statement reads and writes, so tries at the same moment wait for each other's row and none is counted twice. A bucket
/// that is full has no need of its row.
extension SQLStore {
  /// The time at which the bucket is full again, as far as it counts. One that is later than an empty bucket takes was counted
  /// by a clock that was set back: the bucket counts as full. `?2` is now, `?4` the time at which it would be full if it were
  /// empty now.
  private static let fullAt = "max(CASE WHEN try_count.full_at > ?4 THEN ?2 ELSE try_count.full_at END, ?2)"

  /// Takes one try from each bucket, in their order, until one has none left. What was taken before stays taken.
  /// - Returns: nil where each had one.
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

  /// Gives one try back to each: it was no wrong one.
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
