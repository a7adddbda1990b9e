import AlarmEngine
import Foundation
import GRDB
import Testing

@testable import Store

@Suite("SQLite store: when things go wrong")
struct SQLiteFailureTests {
  typealias S = StoreSamples

  /// One device, and batches of ten fixes each.
  static func fill(_ store: SQLStore, batches: Range<Int>, device: DeviceID) async throws {
    for number in batches { try await write(store, number, device) }
  }

  static func write(_ store: SQLStore, _ number: Int, _ device: DeviceID) async throws {
    _ = try await store.record {
      $0.fixes = [DeviceFixes(device: device, fixes: (0..<10).map { S.fix(Double(number * 10 + $0)) })]
    }
  }

  static func makeDevice(_ store: SQLStore) async throws -> (account: AccountID, device: DeviceID) {
    let account = try await store.makeAccount("anna")
    return (account.id, try await store.makeDevice("phone", of: account).id)
  }

  @Test func `the writer syncs every commit, keeps a log and checks keys`() async throws {
    try await withFolder { folder in
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      let pragmas = try await store.file.write { database in
        try ["synchronous", "journal_mode", "foreign_keys"].map {
          try String.fetchOne(database, sql: "PRAGMA \($0)") ?? ""
        }
      }
      #expect(pragmas == ["2", "wal", "1"])
      try await store.close()
      await #expect(throws: StoreError.closed) { try await store.accountCount() }
    }
  }

  @Test func `nothing is written to a file that was replaced or removed`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let store = try SQLStore(sqlite: path)
      let (_, device) = try await Self.makeDevice(store)
      try await Self.write(store, 1, device)
      let files = FileManager.default
      try files.moveItem(atPath: path, toPath: path + ".moved")
      func expectRefusal() async {
        await #expect(throws: StoreError.fileReplaced(path: path)) { try await Self.write(store, 2, device) }
        await #expect(throws: StoreError.fileReplaced(path: path)) { try await store.checkWritable() }
      }
      await expectRefusal()
      #expect(try await store.accountCount() == 1)
      try Data("another file".utf8).write(to: URL(fileURLWithPath: path))
      await expectRefusal()
      // The store's own file is back.
      try files.removeItem(atPath: path)
      try files.moveItem(atPath: path + ".moved", toPath: path)
      try await store.checkWritable()
      try await Self.write(store, 2, device)
      try await store.close()
      let again = try SQLStore(sqlite: path)
      #expect(try await again.accountCount() == 1)
      try await again.close()
    }
  }

  @Test(arguments: [("-wal", true), ("-wal", false), ("-shm", true)])
  func `an empty file beside a log is refused, and the log stays as it was`(suffix: String, isThere: Bool)
    async throws
  {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let log = Array("positions of yesterday".utf8)
      try Data(log).write(to: URL(fileURLWithPath: path + suffix))
      if isThere { try Data().write(to: URL(fileURLWithPath: path)) }
      #expect(throws: StoreError.emptied(path: path, beside: "store.sqlite" + suffix)) {
        try SQLStore(sqlite: path)
      }
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + suffix))) == log)
      #expect(FileManager.default.fileExists(atPath: path) == isThere)
      // An empty file alone is a new store.
      try FileManager.default.removeItem(atPath: path + suffix)
      try Data().write(to: URL(fileURLWithPath: path))
      try await SQLStore(sqlite: path).close()
    }
  }

  @Test func `what is closed is closed, in memory too, for all who still ask`() async throws {
    let store = try SQLStore.inMemory()
    let account = try await store.makeAccount("anna")
    try await store.close()
    await #expect(throws: StoreError.closed) { try await store.accountCount() }
    await #expect(throws: StoreError.closed) { try await store.zoneSet(of: account.id) }
    await #expect(throws: StoreError.closed) { try await store.create(account) }
    try await store.close()
  }

  @Test func `a newer schema, another program's file and no database at all are told apart`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let store = try SQLStore(sqlite: path)
      try await store.file.write { try $0.execute(sql: "PRAGMA user_version = 4711") }
      try await store.close()
      #expect(throws: StoreError.newerSchema(found: 4711, known: SQLiteSchema.known)) {
        try SQLStore(sqlite: path)
      }
      let foreign = try DatabaseQueue(path: folder + "/foreign.sqlite")
      try await foreign.write { try $0.execute(sql: "CREATE TABLE account (id INTEGER)") }
      try foreign.close()
      #expect(throws: StoreError.foreignFile) { try SQLStore(sqlite: folder + "/foreign.sqlite") }
      try String(repeating: "no database ", count: 1000).write(
        toFile: folder + "/text", atomically: false, encoding: .utf8)
      #expect {
        try SQLStore(sqlite: folder + "/text")
      } throws: { if case .corrupted = $0 as? StoreError { true } else { false } }
      #expect(throws: StoreError.cannotOpen(path: folder + "/no/folder")) {
        try SQLStore(sqlite: folder + "/no/folder")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a damaged file is found out, never believed`(truncated: Bool) async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      let store = try SQLStore(sqlite: path)
      let (account, device) = try await Self.makeDevice(store)
      try await Self.fill(store, batches: 0..<300, device: device)
      try await store.close()
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      let size = try file.seekToEnd()
      if truncated {
        try file.truncate(atOffset: size / 2)
      } else {
        // Damages the second half, so that the file still opens.
        for offset in stride(from: size / 2, to: size, by: 512) {
          try file.seek(toOffset: offset)
          try file.write(contentsOf: Data(repeating: 0xa5, count: 64))
        }
      }
      try file.close()
      func isCorrupted(_ body: () async throws -> Void) async -> Bool {
        do { try await body() } catch { if case .corrupted = error as? StoreError { return true } }
        return false
      }
      guard let damaged = try? SQLStore(sqlite: path) else {
        #expect(await isCorrupted { _ = try SQLStore(sqlite: path) })
        return
      }
      #expect(try await damaged.integrityIssues().isEmpty == false)
      #expect(
        await isCorrupted {
          _ = try await damaged.fixes(of: device, account: account, in: IngestContract.always, limit: 9999)
        })
      try await damaged.close()
    }
  }

  @Test func `a value of another type than its column's is damage, and stops nothing else`() async throws {
    try await withFolder { folder in
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      let (account, device) = try await Self.makeDevice(store)
      try await store.file.write { try $0.execute(sql: "UPDATE device SET created_at = 'long ago'") }
      let damage = StoreError.corrupted(detail: "column created_at holds no Int64")
      await #expect(throws: damage) { try await store.device(device) }
      // Nothing that depends on it is written.
      await #expect(throws: damage) { try await store.deleteDevice(device, of: account, at: S.time()) }
      #expect(try await store.account(account).login == "anna")
      #expect(try await store.statistics().devices == 1)
      try await store.close()
    }
  }

  @Test func `a full disk refuses, keeps what it acknowledged, and goes on when there is room`() async throws
  {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      var store = try SQLStore(sqlite: path)
      let (account, device) = try await Self.makeDevice(store)
      let pages = try await store.file.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
      try await store.close()
      var options = SQLiteOptions()
      options.maximumPages = pages + 20
      store = try SQLStore(sqlite: path, options: options)
      var acknowledged = 0
      await #expect(throws: StoreError.diskFull) {
        for number in 0..<10_000 {
          try await Self.write(store, number, device)
          acknowledged += 1
        }
      }
      #expect(acknowledged > 10)
      await #expect(throws: StoreError.diskFull) { try await Self.write(store, acknowledged, device) }
      func count() async throws -> Int {
        try await store.fixes(of: device, account: account, in: IngestContract.always, limit: .max).count
      }
      #expect(try await count() == acknowledged * 10)
      try await store.close()
      store = try SQLStore(sqlite: path)
      try await Self.write(store, acknowledged, device)
      #expect(try await count() == acknowledged * 10 + 10)
      #expect(try await store.integrityIssues().isEmpty)
      try await store.close()
    }
  }

  @Test func `a file that another holds is locked to writers, open to readers`() async throws {
    try await withFolder { folder in
      let path = folder + "/store.sqlite"
      var options = SQLiteOptions()
      options.busyTimeout = .milliseconds(20)
      let store = try SQLStore(sqlite: path, options: options)
      let (_, device) = try await Self.makeDevice(store)
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      await #expect(throws: StoreError.locked) { try await Self.write(store, 0, device) }
      #expect(try await store.accountCount() == 1)
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try other.close()
      try await Self.write(store, 0, device)
      try await store.close()
    }
  }

  @Test func `what kill -9 leaves behind holds all that was acknowledged`() async throws {
    try await withFolder { folder in
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
        try await KilledWriter.run(in: folder)
      }
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      var last = [Int](repeating: -1, count: KilledWriter.writers)
      for line in try String(contentsOfFile: folder + "/acknowledged", encoding: .utf8).split(separator: "\n")
      {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        if numbers.count == 2 { last[numbers[0]] = max(last[numbers[0]], numbers[1]) }
      }
      #expect(last[0] == KilledWriter.batches - 1)
      for writer in 0..<KilledWriter.writers {
        let state = try await store.deviceState(KilledWriter.device(writer), since: S.time(-1))
        #expect(state.fixes.count >= (last[writer] + 1) * 10)
        #expect(state.fixes.count % 10 == 0, "half a batch")
      }
      #expect(try await store.integrityIssues().isEmpty)
      try await store.close()
    }
  }
}

/// Writes from several tasks until it kills its own process.
enum KilledWriter {
  static let writers = 4
  static let batches = 60
  static func device(_ writer: Int) -> DeviceID { DeviceID(rawValue: UInt64(writer + 1)) }

  static func run(in folder: String) async throws {
    let store = try SQLStore(sqlite: folder + "/store.sqlite")
    let account = try await store.makeAccount("anna")
    for writer in 0..<writers {
      try await store.create(
        Device(id: device(writer), account: account.id, name: "", createdAt: StoreSamples.time()),
        identities: [])
    }
    let log = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for number in 0... {
            try await SQLiteFailureTests.write(store, number, device(writer))
            let line = Array("\(writer) \(number)\n".utf8)
            _ = Foundation.write(log, line, line.count)
            if writer == 0, number == batches - 1 { kill(getpid(), SIGKILL) }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
