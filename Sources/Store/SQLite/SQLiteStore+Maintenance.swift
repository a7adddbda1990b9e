import AlarmEngine
import Foundation
import GRDB

extension SQLiteStore {
  public func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .taken }
    let partial = path + ".partial"
    func discard() {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: partial + suffix)
      }
    }
    discard()
    do {
      // A read transaction is open all the time: a step need not begin again when something was written.
      try await database.read { source in
        let target = try DatabaseQueue(path: partial)
        try target.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: 1024) { step in
            let total = max(1, step.totalPageCount)
            progress(Double(step.completedPageCount) / Double(total))
          }
          // One file, without a log beside it.
          try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try target.close()
      }
      try Self.settle(partial, as: path)
    } catch {
      discard()
      throw StoreError(error, path: path)
    }
  }

  /// Renames, and sees to it that the new name is on the disk.
  private static func settle(_ partial: String, as path: String) throws {
    guard rename(partial, path) == 0 else { throw StoreError.cannotOpen(path: path) }
    let parent = (path as NSString).deletingLastPathComponent
    let folder = open(parent.isEmpty ? "." : parent, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    Foundation.close(folder)
  }

  public func integrityIssues() async throws(StoreError) -> [String] {
    do {
      return try await read { database in
        var issues = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)").filter { $0 != "ok" }
        for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
          issues.append("a row of \(row[0] as String) belongs to nothing in \(row[2] as String)")
        }
        for row in try database.rows("SELECT id, record FROM zone WHERE NOT is_deleted") {
          do { _ = try Zone(id: row.id(0), record: SyncRecord(bytes: row.bytes(1))) } catch {
            issues.append("zone \(row.id(0, ZoneID.self)): \(error)")
          }
        }
        for row in try database.rows("SELECT id, record FROM reminder WHERE NOT is_deleted") {
          do { _ = try Reminder(id: row.id(0), record: SyncRecord(bytes: row.bytes(1))) } catch {
            issues.append("reminder \(row.id(0, ReminderID.self)): \(error)")
          }
        }
        return issues
      }
    } catch {
      guard case .corrupted(let detail) = error else { throw error }
      return [detail]
    }
  }

  public func quickCheck() async throws(StoreError) -> [String] {
    do {
      return try await read { database in
        try String.fetchAll(database, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
      }
    } catch {
      guard case .corrupted(let detail) = error else { throw error }
      return [detail]
    }
  }

  public func checkWritable() async throws(StoreError) { try await write { _ in } }

  public func statistics() async throws(StoreError) -> StoreStatistics {
    let log = path.map { Self.size(of: $0 + "-wal") } ?? 0
    return try await read { database in
      func count(_ sql: String) throws -> Int { Int(try database.integer(sql) ?? 0) }
      var statistics = StoreStatistics()
      statistics.accounts = try count("SELECT count(*) FROM account WHERE NOT is_erased")
      statistics.devices = try count("SELECT count(*) FROM device")
      statistics.unclaimedDevices = try count("SELECT count(*) FROM device WHERE account IS NULL")
      statistics.zones = try count("SELECT count(*) FROM zone WHERE NOT is_deleted")
      statistics.alarms = try count("SELECT count(*) FROM alarm")
      statistics.openAlarms = try count("SELECT count(*) FROM alarm WHERE is_open")
      statistics.outbox = try count("SELECT count(*) FROM outbox")
      statistics.oldestDue = try database.integer("SELECT min(ready_at) FROM outbox").map { Instant(sql: $0) }
      let page = Int64(try count("PRAGMA page_size"))
      statistics.fileBytes = Int64(try count("PRAGMA page_count")) * page
      statistics.freeBytes = Int64(try count("PRAGMA freelist_count")) * page
      statistics.logBytes = log
      return statistics
    }
  }

  private static func size(of path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }
}
