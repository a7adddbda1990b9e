#if PostgreSQL
  import Foundation

  /// A PostgreSQL server for one test, which can stop, crash and start it.
  public final class OwnPostgreSQLServer: Sendable {
    public enum Stop: String, Sendable {
      /// Ends all connections, and writes everything to the disk.
      case fast
      /// As in a crash: committed data is recovered at the next start.
      case immediate
    }

    public let url: String
    /// Contains `data/postgresql.conf`, `data/pg_hba.conf`, `port` and `log`.
    public let folder: URL

    private init(_ url: String, _ folder: URL) {
      self.url = url
      self.folder = folder
    }

    /// Calls `body` with a new server, which is removed when it returns.
    public static func with(_ body: (OwnPostgreSQLServer) async throws -> Void) async throws {
      // If PostgreSQL is not installed, this prints so.
      guard try await PostgreSQLServer.running() != nil else { return }
      // Not simply a temporary folder: that may belong to root, and the server runs as another user.
      let folder = URL(filePath: try call("folder"))
      defer { _ = try? call("remove", folder.path) }
      try await body(OwnPostgreSQLServer(try call("start", folder.path), folder))
    }

    public func stop(_ how: Stop = .fast) throws { _ = try Self.call("stop", folder.path, how.rawValue) }

    /// Starts at the same address as before.
    public func start() throws { _ = try Self.call("start", folder.path) }

    /// Pauses all processes of the server, as on a machine that hangs, until `resume()`.
    public func pause() throws { try signal(SIGSTOP) }
    public func resume() throws { try signal(SIGCONT) }

    private func signal(_ signal: Int32) throws {
      let lines = try String(contentsOf: folder.appending(path: "data/postmaster.pid"), encoding: .utf8)
      guard let first = lines.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
      // The first process starts no others while it is paused.
      if signal == SIGSTOP { kill(first, signal) }
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
        guard let process = pid_t(name),
          let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
        else { continue }
        // "42 (postgres) S 41 ...": the name may contain anything, so fields count from the last parenthesis.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        if fields.count > 2, pid_t(fields[2]) == first { kill(process, signal) }
      }
      if signal != SIGSTOP { kill(first, signal) }
    }

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
