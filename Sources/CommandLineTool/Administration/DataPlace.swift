import CommandLineSupport
import Formats
import Foundation
import Store

/// The place of a server's data: a folder with a file, or a PostgreSQL database.
enum DataPlace: CustomStringConvertible {
  case folder(DataFolder)
  /// A URL that may hold a password.
  case postgreSQL(String)

  /// - Parameter url: nil or empty for the folder.
  init(database url: String?, folder: DataFolder) throws {
    guard let url, !url.isEmpty else {
      self = .folder(folder)
      return
    }
    self = try Self.database(url)
  }

  /// - Parameter text: a URL, or a folder's path.
  init(_ text: String) throws {
    self = text.contains("://") ? try Self.database(text) : .folder(DataFolder(text))
  }

  private static func database(_ url: String) throws -> Self {
    guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix) else {
      // Only the scheme is repeated: the rest may hold a password.
      let scheme = url.range(of: "://").map { "\(printable(String(url[..<$0.lowerBound])))://" } ?? "no URL"
      throw UsageError(
        "a database at \(scheme) found, postgres://user:password@host/name allowed; without --database the data is in the "
          + "folder of --data")
    }
    return .postgreSQL(url)
  }

  /// The place without a password.
  var description: String {
    switch self {
    case .folder(let folder): folder.path
    case .postgreSQL(let url):
      URLComponents(string: url).map { parts in
        "PostgreSQL\(parts.host.map { " at \($0)" } ?? "")\(parts.port.map { ":\($0)" } ?? ""), \(parts.path.dropFirst())"
      } ?? "PostgreSQL"
    }
  }

  /// - Parameter making: creates the data if missing, for a server or a copy.
  /// - Throws: `ReadError` that names the obstacle.
  func open(making: Bool) async throws -> SQLStore {
    switch self {
    case .folder(let folder): return try folder.open(making: making)
    case .postgreSQL(let url):
      #if PostgreSQL
        do { return try await SQLStore(postgreSQL: url) } catch { throw ReadError(error.words) }
      #else
        throw ReadError("this program was built without PostgreSQL")
      #endif
    }
  }

  /// Locks a folder for this process; a PostgreSQL database may have any number.
  func lock() throws -> FolderLock? {
    switch self {
    case .folder(let folder): try folder.lock()
    case .postgreSQL: nil
    }
  }
}
