import Foundation
import Hummingbird
import Logging

/// The HTTP stack under the server, alone: reads a post and answers `[]`. The server's throughput is compared
/// with its own (`make bench-server`). `HTTPStack PORT`.
@main
struct HTTPStack {
  static func main() async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
    let router = Router()
    router.post("**") { request, _ in
      _ = try await request.body.collect(upTo: 8 << 20)
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: .init(byteBuffer: ByteBuffer(string: "[]")))
    }
    var logger = Logger(label: "stack")
    logger.logLevel = .critical
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { channel in
        // Written at once: the reader waits for it.
        let line = "listening on \(channel.localAddress?.port ?? port)\n"
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
      }, logger: logger)
    try await application.runService()
  }
}
