import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import Delivery

/// A request as an endpoint received it.
struct ReceivedRequest: Sendable {
  let method: String
  let path: String
  /// True if it came as a stream of an HTTP/2 connection.
  let isHTTP2: Bool
  let headers: HTTPFields
  let body: [UInt8]
  var text: String { String(decoding: body, as: UTF8.self) }
  subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// An endpoint's answer.
struct CannedAnswer: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body = ""
}

/// An HTTP endpoint on loopback with its own port, which keeps its requests.
final class LocalServer: Sendable {
  enum Kind {
    case http
    /// HTTP/2 over TLS, by a third-party program.
    case http2(Certificates)
  }

  let port: Int
  private let got = NIOLockedValueBox<[ReceivedRequest]>([])
  var requests: [ReceivedRequest] { got.withLockedValue { $0 } }

  private init(port: Int) { self.port = port }

  /// Runs an endpoint that gives these answers in turn, and then repeats the last one.
  static func run<Value: Sendable>(
    _ kind: Kind = .http, answers: [CannedAnswer] = [CannedAnswer()],
    _ body: @Sendable (LocalServer) async throws -> Value
  ) async throws -> Value {
    try await run(kind, answering: { _, count in answers[min(count, answers.count) - 1] }, body)
  }

  /// Runs an endpoint.
  /// - Parameter answering: called with each request and its number.
  static func run<Value: Sendable>(
    _ kind: Kind = .http, answering: @escaping @Sendable (ReceivedRequest, Int) -> CannedAnswer,
    _ body: @Sendable (LocalServer) async throws -> Value
  ) async throws -> Value {
    if case .http2(let certificates) = kind {
      return try await runHTTP2(certificates, answering: answering, body)
    }
    let (started, continuation) = AsyncStream<LocalServer>.makeStream()
    let server = NIOLockedValueBox<LocalServer?>(nil)
    let responder = CallbackResponder<EndpointContext> { request, context in
      let collected = try await request.body.collect(upTo: 1 << 20)
      let answer = server.withLockedValue { server -> CannedAnswer in
        let received = ReceivedRequest(
          method: request.method.rawValue, path: request.uri.description, isHTTP2: false,
          headers: request.headers, body: Array(collected.readableBytesView))
        return answering(received, server!.keep(received))
      }
      var headers = HTTPFields()
      for (name, value) in answer.headers { headers[HTTPField.Name(name)!] = value }
      return Response(
        status: .init(code: answer.status), headers: headers,
        body: .init(byteBuffer: ByteBuffer(string: answer.body)))
    }
    var logger = Logger(label: "endpoint")
    logger.logLevel = .critical
    let application = Application(
      responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        let made = LocalServer(port: channel.localAddress!.port!)
        server.withLockedValue { $0 = made }
        continuation.yield(made)
        continuation.finish()
      }, logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try? await application.run() }
      var iterator = started.makeAsyncIterator()
      let made = await iterator.next()!
      let value = try await body(made)
      group.cancelAll()
      return value
    }
  }

  /// - Returns: the number of requests so far.
  private func keep(_ request: ReceivedRequest) -> Int {
    got.withLockedValue { got in
      got.append(request)
      return got.count
    }
  }

  private static func runHTTP2<Value: Sendable>(
    _ certificates: Certificates, answering: @escaping @Sendable (ReceivedRequest, Int) -> CannedAnswer,
    _ body: @Sendable (LocalServer) async throws -> Value
  ) async throws -> Value {
    try await Peer.run("http2_endpoint.py", [certificates.folder]) { peer in
      let server = LocalServer(port: try #require(try await peer.next()["port"] as? Int))
      // Ends together with the peer.
      Task {
        while let asked = await peer.nextUnlessEnded() {
          let request = ReceivedRequest(asked)
          let answer = answering(request, server.keep(request))
          try? peer.tell([
            "status": answer.status, "headers": answer.headers.map { [$0.0, $0.1] }, "body": answer.body,
          ])
        }
      }
      return try await body(server)
    }
  }
}

extension ReceivedRequest {
  /// Reads a request in the form of `http2_endpoint.py`.
  fileprivate init(_ told: [String: Any]) {
    var headers = HTTPFields()
    for pair in told["headers"] as? [[String]] ?? [] {
      if let name = HTTPField.Name(pair[0]) { headers.append(HTTPField(name: name, value: pair[1])) }
    }
    self.init(
      method: told["method"] as? String ?? "", path: told["path"] as? String ?? "",
      isHTTP2: told["version"] as? String == "2", headers: headers,
      body: Array(Data(base64Encoded: told["body"] as? String ?? "") ?? Data()))
  }
}

private struct EndpointContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

/// A server that sends scripted answers, whatever the request, and keeps what it receives.
final class ScriptedServer: Sendable {
  /// A step: the first runs when a connection is open, each later one at a line received.
  enum Step: Sendable {
    case say(String)
    case hangUp
    /// Waits for the next line.
    case listen
  }

  private let channel: any Channel
  let heard = NIOLockedValueBox("")
  /// The number of connections, including those without any data.
  let connections = NIOLockedValueBox(0)
  var port: Int { channel.localAddress!.port! }

  private init(channel: any Channel) { self.channel = channel }

  static func run<Value: Sendable>(
    _ steps: [Step], _ body: @Sendable (ScriptedServer) async throws -> Value
  ) async throws -> Value {
    let sink = NIOLockedValueBox<@Sendable (String) -> Void>({ _ in })
    let connected = NIOLockedValueBox<@Sendable () -> Void>({})
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        connected.withLockedValue { $0 }()
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            Actor(steps: steps) { text in sink.withLockedValue { $0 }(text) })
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    let server = ScriptedServer(channel: channel)
    sink.withLockedValue { $0 = { text in server.heard.withLockedValue { $0 += text } } }
    connected.withLockedValue { $0 = { server.connections.withLockedValue { $0 += 1 } } }
    do {
      let value = try await body(server)
      try await channel.close().get()
      return value
    } catch {
      try? await channel.close().get()
      throw error
    }
  }

  private final class Actor: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var steps: ArraySlice<Step>
    private let hear: @Sendable (String) -> Void

    init(steps: [Step], hear: @escaping @Sendable (String) -> Void) {
      self.steps = steps[...]
      self.hear = hear
    }
    func channelActive(context: ChannelHandlerContext) { act(context) }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let text = String(buffer: unwrapInboundIn(data))
      hear(text)
      for _ in text.split(separator: "\n") { act(context) }
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func act(_ context: ChannelHandlerContext) {
      switch steps.popFirst() {
      case .say(let text):
        context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
      case .hangUp: context.close(promise: nil)
      case .listen, nil: break
      }
    }
  }
}
