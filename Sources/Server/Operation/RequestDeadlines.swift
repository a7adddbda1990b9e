import Delivery
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request does not arrive in time, however busily its bytes drip in: an idle time-out alone
/// begins anew with each byte.
///
///     connected --head--> reading --end--> answering --answered--> connected
///         |                  |
///       limit             2 limits (the routes refuse a slow body before, in words)
final class RequestDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private var deadline: Scheduled<Void>?
  /// The number of requests that have begun and are not completely answered; a client may send the next one
  /// before it has the answer.
  private var unanswered = 0

  init(limit: TimeAmount) { self.limit = limit }

  func handlerAdded(context: ChannelHandlerContext) {
    // The HTTP library lets handlers join behind its own translation only.
    do { try HTTP1Manners.join(context.pipeline.syncOperations) } catch { context.fireErrorCaught(error) }
    if context.channel.isActive { begin(limit, context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(limit, context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      begin(limit * 2, context)
    case .body: break
    case .end: stop()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      unanswered -= 1
      // If the body is still arriving, its own deadline continues.
      if unanswered == 0, deadline == nil { begin(limit, context) }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func begin(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }

  private func stop() {
    deadline?.cancel()
    deadline = nil
  }
}
