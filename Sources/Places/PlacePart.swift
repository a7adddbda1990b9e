import Formats
import Foundation
import GRDB
import Store

/// The unfinished file of an import. It is filled in atomic steps, so that a stopped import resumes after its
/// last step, also after a power cut.
struct PlacePart {
  /// The number of places in one step, which takes less than a second.
  static let step = 5_000

  private let queue: DatabaseQueue
  private let source: String
  /// The number of places already written. The next attempt is given them again, in the same order, and skips
  /// them.
  let done: Int

  /// Opens the unfinished file of the same source, or begins anew.
  ///
  /// - Parameter source: identifies the input and its state; if it is empty, always begins anew.
  init(path: String, source: String) throws {
    self.source = source
    if !source.isEmpty, FileManager.default.fileExists(atPath: path),
      let (queue, done) = try? Self.left(at: path, by: source)
    {
      self.queue = queue
      self.done = done
      return
    }
    try Self.remove(path)
    queue = try Self.open(path)
    done = 0
    let source = source
    try queue.writeWithoutTransaction { database in
      try database.inTransaction {
        try database.execute(sql: "PRAGMA application_id = \(PlaceSchema.applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(PlaceSchema.version)")
        try database.execute(sql: PlaceSchema.tables)
        try database.execute(
          sql: "INSERT INTO place_words(place_words, rank) VALUES ('hashsize', 16777216)")
        try database.execute(sql: "CREATE TABLE import_step (source TEXT NOT NULL, done INTEGER NOT NULL)")
        try database.execute(sql: "INSERT INTO import_step VALUES (?, 0)", arguments: [source])
        return .commit
      }
    }
  }

  static func remove(_ path: String) throws {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      guard unlink(path + suffix) == 0 || errno == ENOENT else { throw StoreError.readOnly }
    }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "places import"
    configuration.publicStatementArguments = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      // The file is not used before it is complete: the last step may be lost, but not be half done.
      try database.execute(
        sql: """
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA journal_mode = WAL;
          PRAGMA synchronous = NORMAL;
          PRAGMA cache_size = -65536;
          """)
    }
    return queue
  }

  /// - Throws: if the file is no unfinished import, or one of another source.
  private static func left(at path: String, by source: String) throws -> (DatabaseQueue, Int) {
    let queue = try open(path)
    let done = try queue.read { database in
      try PlaceSchema.check(database)
      let row = try database.row("SELECT done FROM import_step WHERE source = ?", [source])
      guard let row else { throw StoreError.foreignFile }
      return row[0] as Int
    }
    return (queue, done)
  }

  /// Writes all places and completes the file.
  /// - Returns: the number of different places.
  func fill(
    attribution: String, now: Int64, _ body: (_ add: (Place) throws -> Void) throws -> Void
  ) throws -> Int {
    let count = try queue.writeWithoutTransaction { database in
      try database.beginTransaction()
      do {
        var handed = 0
        try body { place in
          handed += 1
          guard handed > done else { return }
          _ = try PlaceBuilder.insert(place, into: database)
          if handed % Self.step == 0 { try keep(handed, database) }
        }
        let count = try finish(attribution, now, database)
        try database.commit()
        return count
      } catch {
        try? database.rollback()
        throw error
      }
    }
    // One file, without a log beside it.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    return count
  }

  private func keep(_ handed: Int, _ database: Database) throws {
    try database.run("UPDATE import_step SET done = ?", [handed])
    try database.commit()
    try database.beginTransaction()
  }

  private func finish(_ attribution: String, _ now: Int64, _ database: Database) throws -> Int {
    try database.execute(sql: "INSERT INTO place_words(place_words) VALUES ('optimize')")
    try database.execute(sql: "DROP TABLE import_step")
    let count = Int(try database.integer("SELECT count(*) FROM place") ?? 0)
    try database.execute(
      sql: "INSERT INTO about (attribution, imported_at_ms, places) VALUES (?, ?, ?)",
      arguments: [attribution, now, count])
    return count
  }
}
