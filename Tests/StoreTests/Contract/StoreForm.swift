import Foundation
import TestSupport
import Testing

@testable import Store

/// The forms of the store. Each must pass every test of the contract; a new form adds a case and its
/// construction.
enum StoreForm: String, CaseIterable, CustomTestStringConvertible {
  case file
  #if PostgreSQL
    case postgreSQL
  #endif

  var testDescription: String { rawValue }

  func withStore(_ body: (SQLStore) async throws -> Void) async throws {
    switch self {
    case .file: try await withFolder { try await use(SQLStore(sqlite: $0 + "/store.sqlite"), body) }
    #if PostgreSQL
      case .postgreSQL:
        try await PostgreSQLServer.withDatabase { try await use(SQLStore(postgreSQL: $0), body) }
    #endif
    }
  }

  /// Two stores on one database, like two processes.
  func withTwo(_ body: (SQLStore, SQLStore) async throws -> Void) async throws {
    switch self {
    case .file:
      try await withFolder { folder in
        let path = folder + "/store.sqlite"
        try await use(SQLStore(sqlite: path)) { first in
          try await use(SQLStore(sqlite: path)) { try await body(first, $0) }
        }
      }
    #if PostgreSQL
      case .postgreSQL:
        try await PostgreSQLServer.withDatabase { url in
          try await use(SQLStore(postgreSQL: url)) { first in
            try await use(SQLStore(postgreSQL: url)) { try await body(first, $0) }
          }
        }
    #endif
    }
  }

  private func use(_ store: SQLStore, _ body: (SQLStore) async throws -> Void) async throws {
    try await body(store)
    try await store.close()
  }
}

/// A folder for one test, removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}
