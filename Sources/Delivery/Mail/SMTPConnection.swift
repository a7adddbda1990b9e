import AlarmEngine
import NIOCore
import NIOPosix
import NIOSSL

/// A conversation with a mail server.
struct SMTPConnection: Sendable {
  package let channel: any Channel
  private let replies: NIOLoopBound<SMTPReplies>
  private let limits: SMTPClient.Limits

  /// Connects; with a context, TLS starts at once.
  /// - Throws: `DeliveryFailure`.
  package static func open(
    _ server: MailServer, tls: NIOSSLContext?, limits: SMTPClient.Limits
  ) async throws(DeliveryFailure) -> Self {
    let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(.milliseconds(limits.connect.milliseconds))
    do {
      return try await bootstrap.connect(host: server.host, port: server.port) { channel in
        // Kept from the start: where TLS fails at once, the handler has left the channel before anybody asks for it.
        channel.eventLoop.makeCompletedFuture {
          let replies = SMTPReplies()
          if let tls { try channel.pipeline.syncOperations.addHandler(handler(tls, host: server.host)) }
          try channel.pipeline.syncOperations.addHandler(replies)
          return Self(
            channel: channel, replies: NIOLoopBound(replies, eventLoop: channel.eventLoop), limits: limits)
        }
      }
    } catch let error as ChannelError
      where error == .connectTimeout(.milliseconds(limits.connect.milliseconds))
    {
      throw .timedOut(during: "connecting")
    } catch {
      throw .unreachable("\(error)".excerpt())
    }
  }

  /// Sends a line (nil: only listens) and waits for the reply to it.
  package func ask(_ line: String?, step: String) async throws(DeliveryFailure) -> SMTPReply {
    try await ask(bytes: line.map { Array("\($0)\r\n".utf8) }, step: step, within: limits.step)
  }

  package func ask(bytes: [UInt8]?, step: String, within limit: TimeSpan) async throws(DeliveryFailure)
    -> SMTPReply
  {
    do {
      return try await withTaskCancellationHandler {
        try await channel.eventLoop.flatSubmit { [channel, replies] in
          let reply = replies.value.next(during: step, within: limit, on: channel)
          if let bytes { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
          return reply
        }.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch let failure as DeliveryFailure {
      throw Task.isCancelled ? .cancelled : failure
    } catch {
      throw .connectionLost
    }
  }

  /// From here on everything is encrypted. The handshake runs with the next command, in its time.
  func startTLS(_ tls: NIOSSLContext, host: String) async throws(DeliveryFailure) {
    do {
      try await channel.eventLoop.submit { [channel, replies] in
        replies.value.dropClearText()
        try channel.pipeline.syncOperations.addHandler(Self.handler(tls, host: host), position: .first)
      }.get()
    } catch {
      throw .insecure("\(error)".excerpt())
    }
  }

  package func close() async { try? await channel.close().get() }

  /// An address has no name to send along; its certificate is held against the address itself.
  private static func handler(_ tls: NIOSSLContext, host: String) throws -> NIOSSLClientHandler {
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host)
  }
}
