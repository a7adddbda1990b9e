#if TLS
  import Delivery
  import HummingbirdCore
  import HummingbirdHTTP2
  import Logging
  import NIOCore
  import NIOSSL
  import NIOTLS

  /// HTTP/2 and HTTP/1.1 over TLS, with the certificate that is current when a connection begins. A
  /// connection that does not complete the TLS handshake in time is closed, since no other deadline applies
  /// until then.
  struct TimedTLSChannel: HTTPChannelHandler {
    typealias Value = HTTP2UpgradeChannel.Value
    let certificates: TLSCertificates
    let limit: TimeAmount

    var responder: Responder { certificates.channel.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
      certificates.channel.setup(channel: channel, logger: logger).flatMapThrowing { [limit] value in
        let pipeline = channel.pipeline.syncOperations
        let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
        try pipeline.addHandler(HandshakeDeadline(limit: limit), position: .after(tls))
        return value
      }
    }

    func handle(value: Value, logger: Logger) async {
      await certificates.channel.handle(value: value, logger: logger)
    }
  }

  private final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?

    init(limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
      deadline = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case TLSUserEvent.handshakeCompleted = event { deadline?.cancel() }
      context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }
  }
#endif
