import AlarmService
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import Server

@Suite("Limit of connections")
struct ConnectionLimitTests {
  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func `accepting rests after a connection that could not be accepted, and goes on`(code: CInt) async throws {
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0).get()
    let metrics = Metrics()
    try await ConnectionLimit.join(
      channel, metrics: metrics, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    func accepts() async throws -> Bool { try await channel.getOption(.autoRead).get() }
    #expect(try await accepts())
    channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    #expect(try await !accepts())
    try await channel.eventLoop.scheduleTask(in: ConnectionLimit.pause) {}.futureResult.get()
    #expect(try await accepts())
    try await channel.close()
  }
}
