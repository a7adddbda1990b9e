import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// The folder of a server's data. Commands may use it while the server runs.
struct DataFolder {
  static let standard = "proximity-data"
  let path: String

  init(_ path: String) { self.path = path }

  /// - Parameter making: whether missing data is created, as for the server; a command passes false, so that
  ///   it never works on an empty store.
  /// - Throws: `ReadError` that names the obstacle.
  func open(making: Bool) throws -> SQLStore {
    let file = path + "/proximity.sqlite"
    // People's positions: the files, and copies of them, are readable by the server's user only.
    umask(0o077)
    if making {
      try make()
    } else if !FileManager.default.fileExists(atPath: file) {
      throw ReadError("\(file) does not exist; name the folder of `proximity serve` with --data")
    }
    do { return try SQLStore(sqlite: file) } catch { throw ReadError(error.words) }
  }

  /// Locks the folder for this server, until its process ends in any way. Commands need no lock: each works
  /// in one transaction, and the server sees the result.
  /// - Throws: `ReadError` if another server holds the lock.
  func lock() throws -> FolderLock {
    try make()
    // A lock file without data in the database: a server has run here, and its data is lost.
    let file = path + "/proximity.sqlite"
    let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? NSNumber
    if size?.int64Value == 0, FileManager.default.fileExists(atPath: path + "/server.lock") {
      throw ReadError(StoreError.emptied(path: file, beside: "server.lock").words)
    }
    guard let lock = try FolderLock(path + "/server.lock") else {
      throw ReadError(
        "another server is using \(printable(path)); two would deliver every alarm twice. Stop it, or choose another "
          + "folder with --data")
    }
    return lock
  }

  /// Creates the folder if it is missing.
  func make() throws {
    do {
      // People's positions: readable by the server's user only.
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw ReadError("the folder \(path) cannot be created") }
  }
}

struct DataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"))
  var data = DataFolder.standard

  @Option(
    help: ArgumentHelp(
      "The server's PostgreSQL database, instead of the folder. Default: PROXIMITY_DATABASE in the environment.",
      valueName: "url"))
  var database: String?

  /// Opens the store, works on it and closes it.
  func work<Value: Sendable>(
    _ body: @Sendable (SQLStore) async throws -> Value
  ) async throws -> Value {
    let url = database ?? ProcessInfo.processInfo.environment["PROXIMITY_DATABASE"]
    let store = try await DataPlace(database: url, folder: DataFolder(data)).open(making: false)
    do {
      let value = try await body(store)
      try await store.close()
      return value
    } catch let error as StoreError { throw ReadError(error.words) }
  }
}

extension StoreError {
  /// A message for people at a terminal.
  var words: String {
    switch self {
    case .notFound: "not found"
    case .stale: "somebody else changed it in between; try again"
    case .checkInRuns: "a check-in of the account runs, and its alarm would be lost; end it first"
    case .privateAccount:
      "the account is in private mode: the server stores no position, zone or other place of it"
    case .conflict: "another process is changing the same device; try again"
    case .taken: "the name is in use"
    case .tooMany(let allowed): "the limit of \(allowed) is reached"
    case .usedUp(let allowed): "the link was for \(allowed) people, and as many have used it"
    case .clockAhead: "the time of the edit is in the future"
    case .diskFull: "the disk is full; nothing was saved"
    case .locked: "another process has locked the data for too long; try again"
    case .readOnly: "the data cannot be written: no permission, or a read-only disk"
    case .fileReplaced(let path):
      "\(path) was replaced or removed; put it back, or restart"
    case .emptied(let path, let beside):
      "\(path) is empty or missing, but \(beside) in the same folder shows that it had data. Restore a copy made by `proximity backup`; to start with an empty database, move \(beside) and the empty file away"
    case .corrupted(let detail): "the data is damaged (\(detail)); restore a copy made by `proximity backup`"
    case .newerSchema(let found, let known):
      "the data has version \(found), this program supports \(known); use a newer program"
    case .unreleasedSchema(let found):
      "the data has version \(found), from before the first release; export it with the program that made it, or start with a new folder or database"
    case .foreignFile: "the database belongs to other software; use a separate one"
    case .cannotOpen(let path): "\(path) cannot be opened"
    case .unavailable(let why): "the database cannot be reached: \(why)"
    case .badAddress(let why): "the database's address is not valid: \(why)"
    case .notAllowed(let why): "the database refused access: \(why)"
    case .closed, .cancelled: "stopped"
    case .failed(let code, let message): "database error \(code): \(message)"
    }
  }
}
