import GRDB

/// The tables of an SQLite file, as a list of migration steps. Opening a file runs the steps that it lacks.
/// Steps are only added.
enum SQLiteSchema {
  /// "PRXA", the application id in the header of our files.
  static let applicationID: Int64 = 0x5052_5841

  /// The version after the first step. Files with lower numbers were made by programs before the first
  /// release.
  static let first = 100

  /// The first step creates the tables; each later one migrates a file to the next version. A released step
  /// is never changed; only new ones are added.
  static let steps: [String] = [
    watching + "\n" + sharing, signInCodes, reminderTelling, channelRules, checkIns, groupLinks,
    expectedArrivals, groupLinkAccounts, groupInvitations, groupLinkUses,
  ]

  /// The version after the last step.
  static var known: Int { first + steps.count - 1 }

  /// Runs all missing steps, each in a transaction of its own.
  ///
  /// - Throws: `StoreError.newerSchema`, `.unreleasedSchema`, `.foreignFile`.
  static func migrate(_ database: some DatabaseWriter, by steps: [String] = steps) throws {
    let found = try database.read { try version($0, known: first + steps.count - 1) }
    for (version, step) in zip(first..., steps) where version > found {
      try database.write { database in
        // Another process may have run this step in the meantime.
        guard try self.version(database, known: first + steps.count - 1) < version else { return }
        try database.execute(sql: step)
        try database.execute(sql: "PRAGMA user_version = \(version)")
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.checkForeignKeys()
      }
    }
  }

  /// The version of a file; 0 for a new one.
  static func version(_ database: Database, known: Int = known) throws -> Int {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    if tables == 0, version == 0, application == 0 { return 0 }
    guard application == applicationID else { throw StoreError.foreignFile }
    guard version >= first else { throw StoreError.unreleasedSchema(found: version) }
    guard version <= known else { throw StoreError.newerSchema(found: version, known: known) }
    return version
  }
}
