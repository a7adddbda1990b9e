import AlarmEngine

/// Why a method of the store failed. It had no effect then.
public enum StoreError: Error, Equatable, Sendable {
  /// It does not exist or belongs to another account; the caller cannot tell which.
  case notFound
  /// Somebody else saved in between.
  case stale(stored: Revision)
  /// The name, address or id is in use.
  case taken
  /// A limit on how many there may be.
  case tooMany(allowed: Int)
  /// The account is private: the store takes no place of it.
  case privateAccount
  /// Another process has changed these devices' engines since they were read. Nothing was written: what was decided from
  /// them has to be decided again.
  case conflict([DeviceID])
  /// The edit's clock is ahead by more than `HybridClock.allowance`.
  case clockAhead(given: Instant, allowed: Instant)

  /// No room on the disk; the store goes on when there is.
  case diskFull
  /// Another process holds the file for longer than the store waits.
  case locked
  /// The file or the disk does not let itself be written.
  case readOnly
  /// The file at the path is not the one that was opened: it was replaced or removed. What is written now would be lost.
  case fileReplaced(path: String)
  /// The file is empty or missing, and `beside` it lies what an earlier process left: the data was lost, and the log may still
  /// have a part of it.
  case emptied(path: String, beside: String)
  /// The file is damaged. `detail` says where, as far as is known.
  case corrupted(detail: String)
  /// Written by a later version of the program, which has to be used.
  case newerSchema(found: Int, known: Int)
  /// Written by a program before the first release. Export it with that program, or begin with a new folder or database.
  case unreleasedSchema(found: Int)
  /// An SQLite file, but not ours.
  case foreignFile
  /// The file cannot be opened or made.
  case cannotOpen(path: String)
  /// The database cannot be reached, or the connection to it was lost; it is worth trying again. The message is the
  /// database's.
  case unavailable(String)
  /// What was given as the database's address is none, or names something that is not there.
  case badAddress(String)
  /// The database does not let this user do what is needed.
  case notAllowed(String)
  case closed
  /// The calling task was cancelled before the end.
  case cancelled
  /// What the database says, with its code; never what was stored.
  case failed(code: Int, message: String)
}
