import Foundation
import PostgreSQLClient

/// A PgBouncer in front of a server, for one test.
enum Pooler {
  static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  struct Silent: Error, CustomStringConvertible { let description: String }

  static func with(
    _ mode: String, ignoring parameters: String, before server: Int,
    _ body: (PostgreSQLAddress) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pgbouncer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (settings, log) = (folder.appending(path: "pgbouncer.ini"), folder.appending(path: "log"))
    var said = ""
    // Another program may have taken the port.
    for _ in 0..<5 {
      let port = Int.random(in: 20_000..<30_000)
      try """
      [databases]
      postgres = host=127.0.0.1 port=\(server) user=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = any
      pool_mode = \(mode)
      ignore_startup_parameters = \(parameters)
      """.write(to: settings, atomically: true, encoding: .utf8)
      try "".write(to: log, atomically: true, encoding: .utf8)
      let pooler = Process()
      pooler.executableURL = URL(fileURLWithPath: program!)
      pooler.arguments = (getuid() == 0 ? ["-u", "postgres"] : []) + [settings.path]
      pooler.standardError = try FileHandle(forWritingTo: log)
      try pooler.run()
      defer {
        // The process inherits the blocked signals of Foundation's threads, so only SIGKILL ends it.
        kill(pooler.processIdentifier, SIGKILL)
        pooler.waitUntilExit()
      }
      repeat {
        said = try String(contentsOf: log, encoding: .utf8)
      } while pooler.isRunning && !said.contains("process up")
      guard said.contains("process up") else { continue }
      return try body(try PostgreSQLAddress("postgres://postgres@127.0.0.1:\(port)/postgres"))
    }
    throw Silent(description: "PgBouncer does not start: \(said)")
  }
}
