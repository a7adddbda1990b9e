import GRDB

/// The tables, as a list of steps that only ever grows: a file is brought up to date by those it has not had.
enum SQLiteSchema {
  /// "PRXA", in the header of our files.
  static let applicationID: Int64 = 0x5052_5841

  /// The n-th brings a file from version n-1 to version n. Never changed once it was released; only added to.
  static let steps: [String] = [
    version1, zoneHistory, dueTimes, dueMarks, phones, access, channelKinds, engineVersions,
    leaseOwners, accountFeeds, editNotes, loginIndex, tryCounts, channelTests, imports, processesAwake,
    shares, tokenScopes, secondFactors, auditLog, heights, packs,
    privateMode, groups, deputies,
    companions, identities, passkeys, packKeyChanges, importedHeights, zonesSince,
  ]

  static var known: Int { steps.count }

  /// Logins are looked up without regard to case by what both databases understand.
  private static let loginIndex = "CREATE INDEX account_lower_login ON account (lower(login));"

  /// Kinds of channels are written as the API writes them.
  private static let channelKinds = """
    UPDATE channel SET kind = CASE kind WHEN 'web-push' THEN 'web_push' WHEN 'email' THEN 'mail'
      WHEN 'home-assistant' THEN 'home_assistant' ELSE kind END;
    """

  /// How wrong a height may be, one standard deviation, and what it is measured from (`Altitude.Reference`).
  private static let heights = """
    ALTER TABLE fix ADD COLUMN altitude_error REAL;
    ALTER TABLE fix ADD COLUMN altitude_reference INTEGER;
    """

  /// All missing steps, each in a transaction of its own.
  ///
  /// - Throws: `StoreError.newerSchema`, `StoreError.foreignFile`.
  static func migrate(_ database: some DatabaseWriter, to last: Int = known) throws {
    let found = try database.read { try version($0) }
    guard found < last else { return }
    for version in found..<last {
      try database.write { database in
        // Another process may have been quicker.
        guard try self.version(database) == version else { return }
        try database.execute(sql: steps[version])
        try database.execute(sql: "PRAGMA user_version = \(version + 1)")
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.checkForeignKeys()
      }
    }
  }

  /// 0 for a new file.
  static func version(_ database: Database) throws -> Int {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    if tables == 0, version == 0, application == 0 { return 0 }
    guard application == applicationID else { throw StoreError.foreignFile }
    guard version <= known else { throw StoreError.newerSchema(found: version, known: known) }
    return version
  }
}
