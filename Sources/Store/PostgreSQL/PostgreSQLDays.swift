#if PostgreSQL
  import AlarmEngine
  import PostgreSQLClient

  /// The days that positions are kept in, each a partition of its own: a day that is old enough goes as a whole, which
  /// takes the server a moment and leaves no dead rows, however many positions it had.
  ///
  /// Positions of days without a partition, of a phone whose clock is wrong or that was without network for long, lie in
  /// `fix_other`.
  struct PostgreSQLDays {
    /// So many days from today on have their partition.
    static let ahead: Int64 = 7
    /// The first days of a database, and all before them, lie in one.
    static let first = "fix_before"
    /// A day's name begins with it.
    static let prefix = "fix_day_"
    /// Nobody who reports waits longer than this for a change of the partitions; it is tried again later.
    private static let limits = "SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '20s'"

    /// Makes the partitions of `today` and of the days to come, and drops those whose days all lie before `oldest`.
    ///
    /// Each in a transaction of its own under a lock that one process at a time has. What cannot be done now, since a long
    /// query holds the table or since there are too many positions to look through, is left for the next time.
    /// - Parameter oldest: nil keeps all.
    /// - Returns: how many were made or dropped.
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

    /// A partition and its days: from `start` on, before `end`.
    struct Part: Equatable {
      let name: String
      let start: Int64
      let end: Int64
    }

    /// Those that there are, without `fix_other`.
    static func days(_ connection: PostgreSQLConnection) throws -> [Part] {
      // The bounds stand in the catalogue as text: FOR VALUES FROM ('20780') TO ('20781').
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
