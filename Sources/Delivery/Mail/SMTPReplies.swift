import AlarmEngine
import NIOCore
import NIOSSL

/// A reply of a mail server (RFC 5321, section 4.2).
struct SMTPReply: Hashable, Sendable {
  package let code: Int
  /// What stands behind the code, a string a line.
  package let lines: [String]
  package var text: String { lines.joined(separator: " ").excerpt() }
}

/// Puts the bytes of a mail server together to replies and hands each to whoever waits for it.
///
/// Lives on its channel's event loop. A reply nobody waits for is kept, one at most: the greeting, or why the server is
/// about to hang up.
final class SMTPReplies: ChannelInboundHandler {
  package typealias InboundIn = ByteBuffer

  private static let maximumLine = 4096
  private static let maximumLines = 256
  private var bytes: [UInt8] = []
  private var lines: [String] = []
  private var waiting: EventLoopPromise<SMTPReply>?
  private var timeout: Scheduled<Void>?
  private var early: SMTPReply?
  private var failure: DeliveryFailure?

  /// The next reply.
  /// - Parameter step: named where nothing comes for `limit`.
  package func next(during step: String, within limit: TimeSpan, on channel: any Channel) -> EventLoopFuture<
    SMTPReply
  > {
    precondition(waiting == nil, "one reply is awaited at a time")
    if let early {
      self.early = nil
      return channel.eventLoop.makeSucceededFuture(early)
    }
    if let failure { return channel.eventLoop.makeFailedFuture(failure) }
    let promise = channel.eventLoop.makePromise(of: SMTPReply.self)
    waiting = promise
    let here = NIOLoopBound(self, eventLoop: channel.eventLoop)
    timeout = channel.eventLoop.scheduleTask(in: .milliseconds(limit.milliseconds)) {
      here.value.fail(.timedOut(during: step))
      channel.close(promise: nil)
    }
    return promise.futureResult
  }

  /// Before TLS starts: whatever else came in clear text was not sent by whom we are about to trust.
  func dropClearText() {
    bytes.removeAll()
    lines.removeAll()
    early = nil
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    while let end = bytes.firstIndex(of: 10) {
      let line = bytes[..<end].last == 13 ? bytes[..<(end - 1)] : bytes[..<end]
      take(line)
      if bytes.isEmpty { break }
      bytes.removeSubrange(...end)
      if failure != nil { break }
    }
    if bytes.count > Self.maximumLine { fail(.garbled("a line of more than \(Self.maximumLine) bytes")) }
    if failure != nil { context.close(promise: nil) }
  }

  private func take(_ line: ArraySlice<UInt8>) {
    let digits = line.prefix(3)
    guard line.count <= Self.maximumLine, lines.count < Self.maximumLines, digits.count == 3,
      digits.allSatisfy({ (48...57).contains($0) }), (50...53).contains(digits.first!)
    else { return fail(.garbled(String(decoding: line.prefix(200), as: UTF8.self).excerpt(80))) }
    let rest = line.dropFirst(3)
    lines.append(String(decoding: rest.dropFirst(), as: UTF8.self))
    if rest.first == 45 { return }
    guard rest.isEmpty || rest.first == 32 else {
      return fail(.garbled(String(decoding: line.prefix(200), as: UTF8.self).excerpt(80)))
    }
    let reply = SMTPReply(code: digits.reduce(0) { $0 * 10 + Int($1 - 48) }, lines: lines)
    lines.removeAll()
    if let waiting {
      self.waiting = nil
      timeout?.cancel()
      waiting.succeed(reply)
    } else if early == nil {
      early = reply
    } else {
      fail(.garbled("replies to nothing that was asked"))
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    fail(.connectionLost)
    context.fireChannelInactive()
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: fail(.insecure("\(error)".excerpt()))
    default: fail(.connectionLost)
    }
    context.close(promise: nil)
  }

  /// The first failure is the one that is told.
  private func fail(_ reason: DeliveryFailure) {
    if failure == nil { failure = reason }
    timeout?.cancel()
    waiting?.fail(reason)
    waiting = nil
  }
}
