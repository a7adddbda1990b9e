import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The ways for a test to reach an application.
enum TestingSetup {
  /// Passes requests to the router, without a socket.
  case router
  /// Listens on a free port on loopback.
  case live
}

/// An application's answer.
struct TestResponse: Sendable {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let body: ByteBuffer
}

/// Sends requests to an application that runs for a test.
struct TestClient: Sendable {
  typealias Sending =
    @Sendable (_ head: HTTPRequest, _ body: ByteBuffer?) async throws -> TestResponse
  /// Nil without a socket.
  let port: Int?
  let send: Sending

  func executeRequest(
    uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
  ) async throws -> TestResponse {
    var head = HTTPRequest(
      method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers)
    if let body { head.headerFields[.contentLength] = "\(body.readableBytes)" }
    return try await send(head, body)
  }
}

extension ApplicationProtocol where Responder: Sendable {
  /// Runs the application with its services until the test has ended.
  func test<Value: Sendable>(
    _ setup: TestingSetup, _ body: @Sendable (TestClient) async throws -> Value
  ) async throws -> Value {
    switch setup {
    case .router: try await testRouter(body)
    case .live: try await testLive(body)
    }
  }

  private func testRouter<Value: Sendable>(
    _ body: @Sendable (TestClient) async throws -> Value
  ) async throws -> Value {
    let (responder, logger) = (try await responder, logger)
    let client = TestClient(port: nil) { head, body in
      let request = Request(head: head, body: RequestBody(buffer: body ?? ByteBuffer()))
      // As the server's own code between socket and router does.
      var logger = logger
      logger[metadataKey: "hb.request.id"] = "\(UUID().uuidString)"
      let context = Responder.Context(
        source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
      let response: Response
      do { response = try await responder.respond(to: request, context: context) } catch {
        response = Response(status: .internalServerError)
      }
      let written = NIOLockedValueBox(ByteBuffer())
      try await response.body.write(Collector(written: written))
      return TestResponse(
        status: response.status, headers: response.headers, body: written.withLockedValue { $0 })
    }
    for process in processesRunBeforeServerStart { try await process() }
    guard !services.isEmpty else { return try await body(client) }
    return try await Self.run(services, logger) { try await body(client) }
  }

  private func testLive<Value: Sendable>(
    _ body: @Sendable (TestClient) async throws -> Value
  ) async throws -> Value {
    let (ports, told) = AsyncStream.makeStream(of: Int.self)
    let application = LiveApplication(base: self) {
      told.yield($0)
      told.finish()
    }
    return try await Self.run([application], logger) {
      guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
      return try await body(
        TestClient(port: port) { head, body in
          let answer = try await LiveAnswer.to(head, body, port: port)
          var whole = ByteBuffer()
          for try await var part in answer.body { whole.writeBuffer(&part) }
          return TestResponse(status: answer.status, headers: answer.headers, body: whole)
        })
    }
  }

  /// Runs services until the body has ended.
  private static func run<Value: Sendable>(
    _ services: [any Service], _ logger: Logger, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    let group = ServiceGroup(
      configuration: .init(services: services + [Beginning(started: started)], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      // A group that is stopped before it has started would never end.
      _ = await starts.first { _ in true }
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      return try result.get()
    }
  }
}

/// The last of a group's services to start.
private struct Beginning: Service {
  let started: AsyncStream<Void>.Continuation
  func run() async throws {
    started.finish()
    try await gracefulShutdown()
  }
}

/// Collects the written bytes.
private struct Collector: ResponseBodyWriter {
  let written: NIOLockedValueBox<ByteBuffer>
  mutating func write(_ buffer: ByteBuffer) async throws {
    written.withLockedValue { _ = $0.writeImmutableBuffer(buffer) }
  }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// An application on any free port, which it reports.
private struct LiveApplication<Base: ApplicationProtocol>: ApplicationProtocol {
  typealias Responder = Base.Responder
  let base: Base
  let listens: @Sendable (Int) -> Void

  var responder: Base.Responder { get async throws { try await base.responder } }
  var server: HTTPServerBuilder { base.server }
  var logger: Logger { base.logger }
  var services: [any Service] { base.services }
  var processesRunBeforeServerStart: [@Sendable () async throws -> Void] {
    base.processesRunBeforeServerStart
  }
  var configuration: ApplicationConfiguration {
    var configuration = base.configuration
    configuration.address = .hostname("127.0.0.1", port: 0)
    return configuration
  }
  func onServerRunning(_ channel: any Channel) async {
    await base.onServerRunning(channel)
    listens(channel.localAddress?.port ?? 0)
  }
}

/// An answer over its own connection, as it arrives. Releasing its body closes the connection.
struct LiveAnswer: Sendable {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let body: AsyncThrowingStream<ByteBuffer, any Error>

  struct NoAnswer: Error {}

  static func to(_ request: HTTPRequest, _ content: ByteBuffer?, port: Int) async throws -> Self {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    var head = HTTPRequestHead(
      version: .http1_1, method: .init(rawValue: request.method.rawValue), uri: request.path ?? "/")
    head.headers.add(name: "Host", value: "localhost:\(port)")
    for field in request.headerFields { head.headers.add(name: field.name.rawName, value: field.value) }
    let (heads, gotHead) = AsyncThrowingStream.makeStream(of: HTTPResponseHead.self)
    let (parts, gotPart) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    let task = Task { [head] in
      do {
        try await channel.executeThenClose { inbound, outbound in
          try await outbound.write(.head(head))
          if let content { try await outbound.write(.body(.byteBuffer(content))) }
          try await outbound.write(.end(nil))
          for try await part in inbound {
            switch part {
            case .head(let head): gotHead.yield(head)
            case .body(let bytes): gotPart.yield(bytes)
            case .end: return
            }
          }
        }
        gotHead.finish()
        gotPart.finish()
      } catch {
        gotHead.finish(throwing: error)
        gotPart.finish(throwing: error)
      }
    }
    gotPart.onTermination = { _ in task.cancel() }
    guard let answer = try await heads.first(where: { _ in true }) else { throw NoAnswer() }
    var headers = HTTPFields()
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    return Self(status: .init(code: Int(answer.status.code)), headers: headers, body: parts)
  }
}
