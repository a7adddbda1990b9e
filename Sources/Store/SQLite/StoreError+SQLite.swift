import AlarmEngine
import GRDB

#if PostgreSQL
  import PostgreSQLClient
#endif

extension StoreError {
  /// Converts an error of the database. Bound or stored values are left out.
  package init(_ error: any Error, path: String = "") {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self = Self.of(error, path)
    #if PostgreSQL
      case let error as PostgreSQLError: self = StoreError(postgreSQL: error)
    #endif
    case is CancellationError: self = .cancelled
    case let error as FieldError: self = .corrupted(detail: "a stored value: \(error)")
    default: self = .failed(code: -1, message: "\(type(of: error))")
    }
  }

  private static func of(_ error: DatabaseError, _ path: String) -> Self {
    let message = error.message ?? ""
    // The index of the log could not grow.
    if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return .diskFull }
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .locked
    case .SQLITE_READONLY, .SQLITE_PERM: return .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupted(detail: message)
    case .SQLITE_CANTOPEN: return .cannotOpen(path: path)
    case .SQLITE_INTERRUPT, .SQLITE_ABORT: return .cancelled
    case .SQLITE_MISUSE where message == "Connection is closed": return .closed
    default: return .failed(code: Int(error.extendedResultCode.rawValue), message: message)
    }
  }
}
