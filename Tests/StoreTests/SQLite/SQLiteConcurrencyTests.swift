import AlarmEngine
import Foundation
import Testing

@testable import Store

@Suite("SQLite store: side by side")
struct SQLiteConcurrencyTests {
  typealias S = StoreSamples

  @Test func `readers see whole batches while others write`() async throws {
    try await withFolder { folder in
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      let (account, device) = try await SQLiteFailureTests.makeDevice(store)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            try await SQLiteFailureTests.fill(
              store, batches: (writer * 25)..<(writer * 25 + 25), device: device)
          }
        }
        for _ in 0..<4 {
          group.addTask {
            var count = 0
            for _ in 0..<30 {
              let fixes = try await store.fixes(
                of: device, account: account, in: IngestContract.always, limit: .max)
              #expect(fixes.count % 10 == 0 && fixes.count >= count)
              count = fixes.count
            }
          }
        }
        try await group.waitForAll()
      }
      let fixes = try await store.fixes(of: device, account: account, in: IngestContract.always, limit: .max)
      #expect(fixes.count == 1000)
      try await store.close()
    }
  }

  @Test func `a backup made while others write is whole`() async throws {
    try await withFolder { folder in
      let store = try SQLStore(sqlite: folder + "/store.sqlite")
      let (account, device) = try await SQLiteFailureTests.makeDevice(store)
      try await SQLiteFailureTests.fill(store, batches: 0..<50, device: device)
      let progress = Collected<String>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await SQLiteFailureTests.fill(store, batches: 50..<100, device: device) }
        group.addTask { try await store.backUp(to: folder + "/copy.sqlite") { progress.append("\($0)") } }
        try await group.waitForAll()
      }
      #expect(progress.all.last == "1.0")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("copy") }
          == ["copy.sqlite"])
      await #expect(throws: StoreError.taken) {
        try await store.backUp(to: folder + "/copy.sqlite") { _ in }
      }
      try await store.close()
      let copy = try SQLStore(sqlite: folder + "/copy.sqlite")
      let fixes = try await copy.fixes(of: device, account: account, in: IngestContract.always, limit: .max)
      #expect(fixes.count >= 500 && fixes.count % 10 == 0)
      #expect(try await copy.integrityIssues().isEmpty)
      try await copy.close()
    }
  }
}
