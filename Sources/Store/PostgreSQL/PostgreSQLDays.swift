#if PostgreSQL
  import AlarmEngine
  import PostgreSQLClient

  /// The partitions in which fixes are stored, one for each day. Dropping an old day takes the server a
  /// moment and leaves no dead rows, however many fixes it had.
  ///
  /// Fixes of days without a partition, from a phone with a wrong clock or a long time without network, are
  /// in `fix_other`.
  struct PostgreSQLDays {
    /// The number of days after today that have a partition in advance.
    static let ahead: Int64 = 7
    /// The partition of a database's first days and all earlier ones.
    static let first = "fix_before"
    /// The prefix of the name of a day's partition.
    static let prefix = "fix_day_"
    /// The longest time for which a change of partitions may make reports wait. A change that fails is tried
    /// again later.
    private static let limits = "SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '20s'"

    /// Creates the partitions of `today` and the following days, and drops those entirely before `oldest`.
    ///
    /// Each change is a transaction of its own under a lock that one process holds at a time. Changes that
    /// are not possible now, because a long query holds the table or there are too many fixes to search, are
    /// left for the next call.
    /// - Parameter oldest: nil keeps all.
    /// - Returns: the number of partitions created or dropped.
    static func arrange(
      _ connection: PostgreSQLConnection, lock: String, today: Int64, oldest: Int64?
    ) throws -> Int {
      func change(_ body: (PostgreSQLConnection) throws -> Bool) throws -> Bool {
        try connection.transaction("BEGIN") { connection in
          try connection.script(limits)
          guard
            case .boolean(true)? = try connection.run("SELECT pg_try_advisory_xact_lock(\(lock))").rows
              .first?[0]
          else { return false }
          return try body(connection)
        }
      }
      var changed = 0
      if let oldest {
        for day in try days(connection) where day.end <= oldest {
          changed +=
            try change { connection in
              try connection.script("DROP TABLE IF EXISTS \(day.name)")
              return true
            } ? 1 : 0
        }
      }
      for day in today...today + ahead {
        changed +=
          try change { connection in
            let there = try days(connection)
            guard !there.contains(where: { $0.start <= day && day < $0.end }) else { return false }
            let name = "\(prefix)\(day)"
            try connection.script(
              """
              CREATE TABLE \(name) (LIKE fix INCLUDING ALL);
              WITH moved AS (DELETE FROM fix_other WHERE day = \(day) RETURNING *) INSERT INTO \(name) SELECT * FROM moved;
              ALTER TABLE fix ATTACH PARTITION \(name) FOR VALUES FROM (\(day)) TO (\(day + 1))
              """)
            return true
          } ? 1 : 0
      }
      return changed
    }

    /// A partition with its days: from `start`, before `end`.
    struct Part: Equatable {
      let name: String
      let start: Int64
      let end: Int64
    }

    /// The existing partitions, without `fix_other`.
    static func days(_ connection: PostgreSQLConnection) throws -> [Part] {
      // The catalogue has the bounds as text: FOR VALUES FROM ('20780') TO ('20781').
      try connection.run(
        """
        SELECT CAST(relname AS text),
          CAST(substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''?(-?[0-9]+)''?\\)') AS bigint),
          CAST(substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''?(-?[0-9]+)''?\\)') AS bigint)
        FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent = CAST('fix' AS regclass) ORDER BY relname
        """
      ).rows.compactMap { row in
        guard case .text(let name) = row[0], case .integer(let end) = row[2] else { return nil }
        guard case .integer(let start) = row[1] else { return Part(name: name, start: .min, end: end) }
        return Part(name: name, start: start, end: end)
      }
    }
  }
#endif
