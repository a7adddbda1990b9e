import AlarmEngine
import Foundation
import GRDB
import Testing

@testable import Store

@Suite("SQLite store: tables")
struct SQLiteSchemaTests {
  typealias S = StoreSamples

  /// `Fixtures/version1.sql` was written by version 1 and is never changed.
  @Test func `a file of version 1 is brought up to date with all that is in it`() async throws {
    let url = try #require(
      Bundle.module.url(forResource: "version1", withExtension: "sql", subdirectory: "Fixtures"))
    let dump = try String(contentsOf: url, encoding: .utf8)
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      try await file.writeWithoutTransaction { try $0.execute(sql: dump) }
      try file.close()
      let store = try SQLStore(sqlite: path)
      #expect(try await store.file.read { try SQLiteSchema.version($0) } == SQLiteSchema.known)
      let anna = try await store.account(login: "anna")
      let devices = try await store.devices(of: anna.id)
      #expect(devices.map(\.name) == ["phone of anna"])
      let set = try await store.zoneSet(of: anna.id)
      #expect(set.zones.map(\.zone) == [S.zone(1, "zone")])
      let fixes = try await store.fixes(
        of: devices[0].id, account: anna.id, in: IngestContract.always, limit: 99)
      #expect(fixes == (0..<50).map { S.fix(Double($0) * 20_000) })
      let alarms = try await store.openAlarms(after: nil, limit: 9)
      #expect(alarms.map(\.account) == [anna.id])
      #expect(try await store.reminders(of: anna.id).map(\.reminder.title) == ["reminder"])
      #expect(try await store.integrityIssues().isEmpty)
      // And it goes on.
      _ = try await store.save(S.zone(1, "Edge"), of: anna.id, in: nil, over: .first, at: S.time(1))
      try await store.close()
    }
  }

  @Test func `tokens that stood in clear are taken out of what is there already`() async throws {
    let token = String(repeating: "aB3-_", count: 8) + "xyz"
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      try SQLiteSchema.migrate(file, to: 4)
      try await file.write { database in
        func device(_ id: Int, _ name: String) throws {
          try database.execute(
            sql: "INSERT INTO device VALUES (?, NULL, ?, '', 1, '{}', NULL, NULL, 0, 1)",
            arguments: [id, name])
        }
        try device(1, token)
        try device(2, "12345678")
        for (device, value) in [(1, token), (2, "12345678")] {
          try database.execute(
            sql: "INSERT INTO device_identity VALUES ('traccar', ?, NULL, ?)", arguments: [value, device])
        }
        for (number, detail) in [
          #"{"_":"&id=\#(token)&lat=1","is_moving":"true"}"#, #"{"_":"&id=\#(token)"}"#,
          #"{"note":"\#(token)","other":"kept"}"#, #"{"other_":"kept"}"#, "no JSON \"_\": \(token)x",
        ].enumerated() {
          try database.execute(
            sql: "INSERT INTO fix VALUES (0, 2, ?, 1, 2, 3, 0, NULL, NULL, NULL, NULL, ?)",
            arguments: [number, detail])
        }
        for source in ["traccar", "owntracks"] {
          try database.execute(
            sql:
              "INSERT INTO raw_body (device, received_at, source, reason, body) VALUES (2, 0, ?, '', x'41')",
            arguments: [source])
        }
      }
      try file.close()
      let store = try SQLStore(sqlite: path)
      try await store.file.read { database in
        let details = try String?.fetchAll(database, sql: "SELECT detail FROM fix ORDER BY measured_at")
        #expect(
          details == [
            #"{"is_moving":"true"}"#, nil, #"{"other":"kept"}"#, #"{"other_":"kept"}"#,
            "no JSON \"_\": \(token)x",
          ])
        #expect(
          try String.fetchAll(database, sql: "SELECT name FROM device ORDER BY id") == [
            "Traccar Client", "12345678",
          ])
        #expect(try String.fetchAll(database, sql: "SELECT value FROM device_identity") == ["12345678"])
        #expect(try String.fetchAll(database, sql: "SELECT source FROM raw_body") == ["owntracks"])
      }
      try await store.close()
    }
  }

  @Test func `channels of earlier versions keep their kind`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      try SQLiteSchema.migrate(file, to: 6)
      let account = AccountID(rawValue: 1)
      let written = [
        "web-push", "ntfy", "webhook", "email", "owntracks", "home-assistant", "apns",
      ]
      try await file.write { database in
        try database.execute(
          sql: """
            INSERT INTO account (id, login, name, is_administrator, is_disabled, created_at, revision)
              VALUES (?, 'anna', '', 0, 0, 0, 1)
            """, arguments: [account.sql])
        for (number, kind) in written.enumerated() {
          try database.execute(
            sql: "INSERT INTO channel VALUES (?, ?, ?, '', '{}', '{}', 1, ?, NULL, 0, 1)",
            arguments: [number + 1, account.sql, kind, number])
        }
      }
      try file.close()
      let store = try SQLStore(sqlite: path)
      let kinds = try await store.channels(of: account).map(\.kind)
      #expect(kinds == [.webPush, .ntfy, .webhook, .mail, .ownTracks, .homeAssistant, .apns])
      try await store.close()
    }
  }

  @Test func `cursors and epochs of a feed that was counted for all accounts stay good`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let file = try DatabaseQueue(path: path)
      try SQLiteSchema.migrate(file, to: 7)
      let (anna, ben) = (AccountID(rawValue: 1), AccountID(rawValue: 2))
      try await file.write { database in
        for account in [anna, ben] {
          try database.execute(
            sql: """
              INSERT INTO account (id, login, name, is_administrator, is_disabled, created_at, revision)
                VALUES (?, ?, '', 0, 0, 0, 1)
              """, arguments: [account.sql, account.description])
        }
        // Numbers 1 to 4; anna's second change is the last but one.
        for (account, id) in [(anna, 1), (ben, 1), (anna, 2), (ben, 2)] {
          try database.execute(
            sql: "INSERT INTO change (account, kind, id, is_deleted, changed_at) VALUES (?, 4, ?, 0, 0)",
            arguments: [account.sql, id])
        }
        try database.execute(
          sql: "INSERT INTO feed_epoch (epoch, first) VALUES (?, 0), (?, 2)",
          arguments: [FeedEpoch(rawValue: 1).sql, FeedEpoch(rawValue: 2).sql])
      }
      try file.close()
      let store = try SQLStore(sqlite: path)
      let (first, second) = (FeedEpoch(rawValue: 1), FeedEpoch(rawValue: 2))
      func resumes(_ account: AccountID, _ cursor: Int64, _ epoch: FeedEpoch?) async throws -> Bool {
        try await store.canResume(account, after: ChangeCursor(rawValue: cursor), of: epoch)
      }
      try await store.begin(FeedEpoch(rawValue: 3))
      _ = try await store.save(S.zone(9), of: anna, in: nil, over: nil, at: S.time())
      let page = try await store.changes(of: anna, after: ChangeCursor(rawValue: 1), limit: 9)
      #expect(page.entries.map(\.cursor.rawValue) == [3, 5] && page.epoch == FeedEpoch(rawValue: 3))
      #expect(try await store.cursor(of: ben) == ChangeCursor(rawValue: 4))
      // Each may go on from what it was told in its epoch, and not from what a later one wrote.
      #expect(try await resumes(anna, 2, first))
      #expect(try await !resumes(anna, 3, first))
      #expect(try await resumes(anna, 4, second))
      #expect(try await !resumes(anna, 5, second))
      #expect(try await resumes(anna, 5, FeedEpoch(rawValue: 3)))
      #expect(try await resumes(ben, 4, second))
      #expect(try await !resumes(ben, 5, nil))
      try await store.close()
    }
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
      // Not in the file either: what is deleted is written over.
      try await store.file.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try await store.close()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/store.sqlite"))
      #expect(bytes.range(of: Data("phone of anna".utf8)) == nil)
      #expect(bytes.range(of: Data("phone of bob".utf8)) != nil)
    }
  }
}
