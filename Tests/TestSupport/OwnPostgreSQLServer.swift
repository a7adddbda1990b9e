#if PostgreSQL
  import Foundation

  /// A PostgreSQL server that a test has to itself, to stop, crash and start it.
  public final class OwnPostgreSQLServer {
    public enum Stop: String, Sendable {
      /// Ends all connections, and writes everything to the disk.
      case fast
      /// As if it had crashed: what was committed is found again at the next start.
      case immediate
    }

    public let url: String
    /// Has `data/postgresql.conf`, `data/pg_hba.conf`, `port` and `log`.
    public let folder: URL

    private init(_ url: String, _ folder: URL) {
      self.url = url
      self.folder = folder
    }

    /// Gives `body` a new server, which is removed when it returns.
    public static func with(_ body: (OwnPostgreSQLServer) async throws -> Void) async throws {
      // Where none is installed, this says so.
      guard try await PostgreSQLServer.running() != nil else { return }
      // Not simply a temporary folder: that may be root's own, and the server runs as another user.
      let folder = URL(filePath: try call("folder"))
      defer { _ = try? call("remove", folder.path) }
      try await body(OwnPostgreSQLServer(try call("start", folder.path), folder))
    }

    public func stop(_ how: Stop = .fast) throws { _ = try Self.call("stop", folder.path, how.rawValue) }

    /// At the same address as before.
    public func start() throws { _ = try Self.call("start", folder.path) }

    private static func call(_ arguments: String...) throws -> String {
      let process = Process()
      let output = Pipe()
      process.executableURL = PostgreSQLServer.script
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
      let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw PostgreSQLServer.Unavailable(
          description: "Scripts/postgresql \(arguments.joined(separator: " ")) failed.")
      }
      return said.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
#endif
