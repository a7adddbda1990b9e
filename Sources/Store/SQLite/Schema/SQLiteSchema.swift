import GRDB

/// The tables, as a list of steps that only ever grows: a file is brought up to date by those it has not had.
enum SQLiteSchema {
  /// "PRXA", in the header of our files.
  static let applicationID: Int64 = 0x5052_5841

  /// The version of the first step. Files of lower numbers were made by programs before the first release.
  static let first = 100

  /// The first makes the tables; each later one brings a file to the next version. Never changed once it was released;
  /// only added to.
  static let steps: [String] = [watching + "\n" + sharing]

  /// The version of the last step.
  static var known: Int { first + steps.count - 1 }

  /// All missing steps, each in a transaction of its own.
  ///
  /// - Throws: `StoreError.newerSchema`, `.unreleasedSchema`, `.foreignFile`.
  static func migrate(_ database: some DatabaseWriter, by steps: [String] = steps) throws {
    let found = try database.read { try version($0, known: first + steps.count - 1) }
    for (version, step) in zip(first..., steps) where version > found {
      try database.write { database in
        // Another process may have been quicker.
        guard try self.version(database, known: first + steps.count - 1) < version else { return }
        try database.execute(sql: step)
        try database.execute(sql: "PRAGMA user_version = \(version)")
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.checkForeignKeys()
      }
    }
  }

  /// 0 for a new file.
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
