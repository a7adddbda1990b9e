import AlarmEngine

/// The reason why a method of the store failed. The method then had no effect.
public enum StoreError: Error, Equatable, Sendable {
  /// It does not exist or belongs to another account; the caller cannot tell which.
  case notFound
  /// Somebody else saved in between.
  case stale(stored: Revision)
  /// The name, address or id is in use.
  case taken
  /// A limit on the number of things is reached.
  case tooMany(allowed: Int)
  /// As many people have used a link as it was made for.
  case usedUp(allowed: Int)
  /// The account is private: the store accepts no places for it.
  case privateAccount
  /// The account has a check-in that has not ended, whose alarm would be lost.
  case checkInRuns
  /// Another process has changed these devices' engines since they were read. Nothing was written; decide
  /// again from the present state.
  case conflict([DeviceID])
  /// The edit's clock is ahead by more than `HybridClock.allowance`.
  case clockAhead(given: Instant, allowed: Instant)

  /// The disk is full. The store continues once there is room.
  case diskFull
  /// Another process held the file for longer than the store waits.
  case locked
  /// The file or the disk cannot be written.
  case readOnly
  /// The file at the path is not the one that was opened, because it was replaced or removed. Further writes
  /// would be lost.
  case fileReplaced(path: String)
  /// The file is empty or missing, but `beside` is a file left by an earlier process. The data was lost; the
  /// log may still hold a part of it.
  case emptied(path: String, beside: String)
  /// The file is damaged. `detail` says where, if that is known.
  case corrupted(detail: String)
  /// The database was written by a later version of the program. Use that version.
  case newerSchema(found: Int, known: Int)
  /// The database was written by a version from before the first release. Export it with that version, or
  /// begin with a new folder or database.
  case unreleasedSchema(found: Int)
  /// An SQLite file of another program.
  case foreignFile
  /// The file cannot be opened or created.
  case cannotOpen(path: String)
  /// The database cannot be reached, or the connection to it was lost. Trying again may succeed. The message
  /// is the database's.
  case unavailable(String)
  /// The database address is invalid, or names something that does not exist.
  case badAddress(String)
  /// The database user lacks a necessary privilege.
  case notAllowed(String)
  case closed
  /// The calling task was cancelled before the end.
  case cancelled
  /// The database's error message and code. The message never contains stored data.
  case failed(code: Int, message: String)
}
