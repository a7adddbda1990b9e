import AlarmService
import Delivery
import NIOCore
import NIOHTTP1

/// Implements what HTTP/1.1 requires of a server besides answering (RFC 9112): refuses a request without
/// `Host` or with an unknown transfer coding, and sends `100 Continue` to a client that waits for it before
/// sending a body (`Expect: 100-continue`).
///
/// A refusal is passed on in a header field of our own, so that it is answered in its turn, with the wording
/// and the log entry of every other refusal.
final class HTTP1Manners: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  enum Refusal: String, CaseIterable {
    case host = "no Host, or several, found in a request of HTTP/1.1; one allowed"
    case transferCoding = "a Transfer-Encoding other than chunked found; chunked allowed"
  }
  /// The header field of a refusal. One sent by a client is removed.
  static let field = "Proximity-Refusal"

  /// True if reading has ended: the end of the last request's body cannot be known.
  private var isDeaf = false
  /// The number of requests whose answers are not completely written.
  private var unanswered = 0

  /// Adds the handler after the decoder of HTTP/1, where requests have a version and fields as they were
  /// sent. HTTP/2 has neither, and needs none of this.
  static func join(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else {
      return
    }
    try pipeline.addHandler(HTTP1Manners(), position: .after(decoder))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isDeaf { return }
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    head.headers.remove(name: Self.field)
    // A client of HTTP/1.0 waits for the end of the connection unless it asks to keep it (RFC 9112, 9.3).
    if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    unanswered += 1
    let coding = head.headers[canonicalForm: "Transfer-Encoding"]
    if !coding.isEmpty, coding.count != 1 || coding[0].lowercased() != "chunked" {
      isDeaf = true
      head.headers.add(name: Self.field, value: Refusal.transferCoding.rawValue)
      head.headers.remove(name: "Transfer-Encoding")
      context.fireChannelRead(wrapInboundOut(.head(head)))
      context.fireChannelRead(wrapInboundOut(.end(nil)))
      return context.fireChannelReadComplete()
    }
    if head.version == .http1_1, head.headers["Host"].count != 1 {
      head.headers.add(name: Self.field, value: Refusal.host.rawValue)
    } else if head.version == .http1_1, unanswered == 1, head.headers.contains(name: "Expect"),
      head.headers["Expect"].contains(where: { $0.lowercased() == "100-continue" })
    {
      let leave = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(leave)), promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Ignores the decoder's errors about bytes that are no longer read.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !isDeaf { context.fireErrorCaught(error) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    unanswered -= 1
    guard isDeaf, unanswered == 0 else { return context.write(data, promise: promise) }
    let channel = context.channel
    context.writeAndFlush(data).assumeIsolated().whenComplete { _ in channel.close(promise: nil) }
    promise?.succeed(())
  }
}
