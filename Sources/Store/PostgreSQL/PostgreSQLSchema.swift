#if PostgreSQL
  import PostgreSQLClient

  /// The tables in PostgreSQL, as a list of migration steps. Steps are only added. Each has its counterpart
  /// in `SQLiteSchema` or is specific to PostgreSQL. A step never removes anything that a process of the
  /// previous version still uses.
  enum PostgreSQLSchema {
    /// The version after the first step. Databases with lower numbers were made by programs before the first
    /// release.
    static let first = 100

    /// The first step creates the tables; each later one migrates a database to the next version. A released
    /// step is never changed; only new ones are added.
    static let steps: [String] = [
      watching + "\n" + sharing, signInCodes, reminderTelling, channelRules, checkIns, groupLinks,
      expectedArrivals, groupLinkAccounts, groupInvitations, groupLinkUses,
    ]

    /// The version after the last step.
    static var known: Int { first + steps.count - 1 }

    /// Runs the missing steps.
    /// - Parameters:
    ///   - steps: all migration steps.
    ///   - lock: the numbers of the advisory lock under which one process at a time migrates.
    static func migrate(_ connection: PostgreSQLConnection, by steps: [String] = steps, lock: String) throws {
      _ = try connection.run("SELECT pg_advisory_lock(\(lock))")
      defer { _ = try? connection.run("SELECT pg_advisory_unlock(\(lock))") }
      let found = try version(connection, known: first + steps.count - 1)
      for (version, step) in zip(first..., steps) where version > found {
        try connection.transaction("BEGIN") { connection in
          try connection.script(step)
          _ = try connection.run("DELETE FROM proximity_schema")
          _ = try connection.run(
            "INSERT INTO proximity_schema (version) VALUES ($1)", [.integer(Int64(version))])
        }
      }
    }

    /// The version of the tables; 0 for an empty database.
    /// - Throws: `StoreError.newerSchema`; `.unreleasedSchema`; `.foreignFile` if there are tables of another
    ///   program.
    static func version(_ connection: PostgreSQLConnection, known: Int = known) throws -> Int {
      let tables = try connection.run(
        "SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p', 'v', 'm')"
      ).rows.compactMap { row in if case .text(let name) = row[0] { name } else { nil } }
      guard tables.contains("proximity_schema") else {
        guard tables.isEmpty else { throw StoreError.foreignFile }
        return 0
      }
      let rows = try connection.run("SELECT version FROM proximity_schema").rows
      guard let value = rows.first?.first else {
        throw StoreError.corrupted(detail: "the table proximity_schema is empty")
      }
      // A table of that name that is not ours.
      guard case .integer(let version) = value else { throw StoreError.foreignFile }
      guard version >= first else { throw StoreError.unreleasedSchema(found: Int(version)) }
      guard version <= known else { throw StoreError.newerSchema(found: Int(version), known: known) }
      return Int(version)
    }
  }
#endif
