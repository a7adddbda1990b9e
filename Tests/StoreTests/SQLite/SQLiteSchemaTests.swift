import AlarmEngine
import Foundation
import GRDB
import Testing

@testable import Store

@Suite("SQLite store: tables")
struct SQLiteSchemaTests {
  typealias S = StoreSamples

  /// A schema step of the next version.
  private static let next = "ALTER TABLE account ADD COLUMN colour TEXT; UPDATE account SET colour = 'red';"

  private static func version(_ file: DatabaseQueue) throws -> Int {
    try file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  @Test func `a file is brought to a later version with all that is in it`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let store = try SQLStore(sqlite: path)
      _ = try await MaintenanceContract.fill(store, "anna")
      try await store.close()
      let file = try DatabaseQueue(path: path)
      #expect(try Self.version(file) == SQLiteSchema.known)
      try SQLiteSchema.migrate(file, by: SQLiteSchema.steps + [Self.next])
      #expect(try Self.version(file) == SQLiteSchema.known + 1)
      let rows = try await file.read {
        try String.fetchAll($0, sql: "SELECT login || ' ' || colour FROM account")
      }
      #expect(rows == ["anna red"])
      // Once is enough.
      try SQLiteSchema.migrate(file, by: SQLiteSchema.steps + [Self.next])
      try file.close()
      #expect(
        throws: StoreError.newerSchema(found: SQLiteSchema.known + 1, known: SQLiteSchema.known)
      ) { try SQLStore(sqlite: path) }
    }
  }

  @Test func `channels of before there were rules allow everything, and those for no phone are switched off`()
    async throws
  {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      let anna = AccountID(rawValue: 1)
      // Version 102 has no rules.
      try SQLiteSchema.migrate(file, by: Array(SQLiteSchema.steps.prefix(3)))
      #expect(try Self.version(file) == 102)
      try await file.write { database in
        try database.execute(
          sql: """
            INSERT INTO account (id, login, name, password_hash, is_administrator, is_disabled, created_at, revision)
            VALUES (\(anna.sql), 'anna', '', '', 0, 0, 0, 1);
            INSERT INTO channel (id, account, kind, name, address, secrets, is_active, escalation_step, devices,
              created_at, revision)
            VALUES (1, \(anna.sql), 'webhook', 'all', '{}', '{}', 1, 0, NULL, 0, 1),
              (2, \(anna.sql), 'webhook', 'none', '{}', '{}', 1, 0, '', 0, 1),
              (3, \(anna.sql), 'webhook', 'one', '{}', '{}', 1, 0, '\(DeviceID(rawValue: 7))', 0, 1);
            """)
      }
      try file.close()
      let store = try SQLStore(sqlite: path)
      let channels = try await store.channels(of: anna)
      #expect(channels.map(\.name) == ["all", "none", "one"])
      #expect(channels.map(\.isActive) == [true, false, true])
      let one = try ChannelRule(devices: [DeviceID(rawValue: 7)])
      #expect(channels.map(\.rule) == [.everything, .everything, one])
      try await store.close()
    }
  }

  @Test func `a group's link of before stays valid, for as many people as a group has`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      let (boss, crew) = (AccountID(rawValue: 1), GroupID(rawValue: 7))
      // Version 104 has one link of a group, in its row.
      try SQLiteSchema.migrate(file, by: Array(SQLiteSchema.steps.prefix(5)))
      #expect(try Self.version(file) == 104)
      try await file.write { database in
        try database.execute(
          sql: """
            INSERT INTO account (id, login, name, password_hash, is_administrator, is_disabled, created_at, revision)
            VALUES (\(boss.sql), 'boss', '', '', 0, 0, 0, 1), (\(boss.sql + 1), 'anna', '', '', 0, 0, 0, 1);
            INSERT INTO people_group (id, owner, name, created_at, hash, link_ends_at)
            VALUES (\(crew.sql), \(boss.sql), 'Crew', 0, ?, ?), (8, \(boss.sql), 'Night', 0, NULL, NULL);
            """, arguments: [Data(S.hash(1).bytes), S.time(50).millisecondsSince1970])
      }
      try file.close()
      let store = try SQLStore(sqlite: path)
      let link = try #require(try await store.links(of: crew, owner: boss, at: S.time()).first)
      #expect(link.people == 1000 && link.joined == 0 && link.endsAt == S.time(50) && !link.makesAccounts)
      try await store.join(S.hash(1), by: AccountID(rawValue: 2), at: S.time(1))
      #expect(try await store.group(crew, of: boss, at: S.time(2)).memberCount == 1)
      try await store.close()
    }
  }

  @Test func `a step that fails leaves the file as it was, and the steps before it done`() async throws {
    try await withFolder { folder in
      let file = try DatabaseQueue(path: folder + "/store.sqlite")
      let broken = "CREATE TABLE half (id INTEGER); INSERT INTO nothing VALUES (1);"
      #expect(throws: DatabaseError.self) {
        try SQLiteSchema.migrate(file, by: SQLiteSchema.steps + [Self.next, broken])
      }
      #expect(try Self.version(file) == SQLiteSchema.known + 1)
      #expect(try await file.read { try !$0.tableExists("half") })
      let mended = "CREATE TABLE half (id INTEGER);"
      try SQLiteSchema.migrate(file, by: SQLiteSchema.steps + [Self.next, mended])
      #expect(try Self.version(file) == SQLiteSchema.known + 2)
      try file.close()
    }
  }

  @Test func `processes that bring a file up to date at once do each step once`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      try SQLStore(sqlite: path).file.close()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let file = try DatabaseQueue(path: path, configuration: configuration)
            // Adding the column twice would fail.
            try SQLiteSchema.migrate(file, by: SQLiteSchema.steps + [Self.next])
            try file.close()
          }
        }
        try await group.waitForAll()
      }
      let file = try DatabaseQueue(path: path)
      #expect(try Self.version(file) == SQLiteSchema.known + 1)
      try file.close()
    }
  }

  @Test(arguments: [1, 31, SQLiteSchema.first - 1])
  func `a file from before the first release is refused and stays as it was`(version: Int) async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let store = try SQLStore(sqlite: path)
      try await store.file.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
      try await store.close()
      let before = try Self.content(path)
      #expect(before.count > 20)
      #expect(throws: StoreError.unreleasedSchema(found: version)) { try SQLStore(sqlite: path) }
      #expect(try Self.content(path) == before)
    }
  }

  /// The version, the schema, and all rows, as text. The file's bytes cannot be compared: a pool of
  /// connections writes to its log as it opens.
  private static func content(_ path: String) throws -> [String] {
    let file = try DatabaseQueue(path: path)
    let lines = try file.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      let schema = try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_schema ORDER BY name")
      let rows = try tables.sorted().flatMap { try Row.fetchAll(database, sql: "SELECT * FROM \($0)") }
      return ["\(try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0)"]
        + (schema + rows).map(\.description)
    }
    try file.close()
    return lines
  }

  @Test func `an erased account is in no table any more`() async throws {
    try await withFolder { folder in
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      let (anna, phone, channel) = try await MaintenanceContract.fill(store, "anna")
      _ = try await MaintenanceContract.fill(store, "bob")
      let ids = [anna.id.sql, phone.id.sql, channel.id.sql].flatMap { [$0, $0 ^ .min] }
      func traces() async throws -> [String] {
        try await store.file.read { database in
          let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
          var found: [String] = []
          for table in tables {
            for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
              for (name, value) in row {
                let isTrace =
                  switch value.storage {
                  case .int64(let number): ids.contains(number)
                  case .string(let text): text.contains("anna") || text.contains(channel.id.description)
                  case .blob(let bytes): bytes.range(of: Data("anna".utf8)) != nil
                  case .double, .null: false
                  }
                if isTrace { found.append("\(table).\(name)") }
              }
            }
          }
          return found
        }
      }
      #expect(Set(try await traces()).count > 20)
      while try await store.erase(anna.id, limit: 30) == false {}
      #expect(try await traces() == [])
      // The file has no traces either: deleted data is overwritten.
      try await store.file.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try await store.close()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/store.sqlite"))
      #expect(bytes.range(of: Data("phone of anna".utf8)) == nil)
      #expect(bytes.range(of: Data("phone of bob".utf8)) != nil)
    }
  }
}
