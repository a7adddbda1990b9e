#if PostgreSQL
  import Foundation
  import PostgreSQLClient

  /// A PostgreSQL server for the tests of this process. `Scripts/postgresql` starts it when a test first
  /// needs it, and it stops when the process ends in any way. `PROXIMITY_TEST_POSTGRES` names one that is
  /// already running.
  ///
  /// If PostgreSQL is not installed, tests that need it do nothing, and one line says so; with `CI` set they
  /// fail.
  public enum PostgreSQLServer {
    public struct Unavailable: Error, CustomStringConvertible {
      public let description: String
    }

    /// Calls `body` with the URL of a new, empty database, which is dropped when it returns.
    public static func withDatabase(_ body: (String) async throws -> Void) async throws {
      guard let server = try await running() else { return }
      let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
      try administer(server, "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8'")
      defer { try? administer(server, "DROP DATABASE \(name) WITH (FORCE)") }
      try await body(url(server, database: name))
    }

    /// The URL of the process' server, whose existing databases must not be changed; nil if tests are to be
    /// skipped.
    public static func running() async throws -> String? {
      switch await Task.detached(operation: { shared }).value {
      case .url(let url): return url
      case .notInstalled:
        guard (ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty else {
          throw Unavailable(description: "PostgreSQL is not installed, and CI is set.")
        }
        return nil
      case .failed: throw Unavailable(description: "PostgreSQL is installed, but does not start.")
      }
    }

    /// The URL of another database on the same server.
    public static func url(_ server: String, database: String) -> String {
      var parts = URLComponents(string: server)!
      parts.path = "/" + database
      return parts.string!
    }

    /// Runs statements without results.
    public static func administer(_ server: String, _ statement: String) throws {
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(server))
      defer { connection.close() }
      try connection.script(statement)
    }

    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "../../Scripts/postgresql"
    ).standardizedFileURL

    private enum State {
      case url(String)
      case notInstalled
      case failed
    }

    private static let shared: State = {
      if let url = ProcessInfo.processInfo.environment["PROXIMITY_TEST_POSTGRES"], !url.isEmpty {
        return .url(url)
      }
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = script
      // It lives as long as this process holds the other end of its input.
      process.arguments = ["run", "sh", "-c", #"echo "$PROXIMITY_TEST_POSTGRES" && exec cat"#]
      process.standardInput = input
      process.standardOutput = output
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      do { try process.run() } catch { return .failed }
      let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard said.hasPrefix("postgres") else {
        process.waitUntilExit()
        guard process.terminationStatus == 77 else { return .failed }
        print("PostgreSQL is not installed: the tests that need it are left out.")
        return .notInstalled
      }
      held = (input, output)
      atexit { PostgreSQLServer.end() }
      return .url(said.trimmingCharacters(in: .whitespacesAndNewlines))
    }()

    /// Set once, before the process ends.
    nonisolated(unsafe) private static var held: (input: Pipe, output: Pipe)?

    private static func end() {
      guard let held else { return }
      try? held.input.fileHandleForWriting.close()
      // Waits until it has ended.
      while !held.output.fileHandleForReading.availableData.isEmpty {}
    }
  }
#endif
