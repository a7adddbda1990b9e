import AlarmService
import Foundation
import Logging
import NIOCore

/// Stops accepting connections for a second when the process has no file descriptor left.
///
/// A connection that cannot be accepted keeps the listening socket readable, so without a pause the event loop would
/// try again at once, for as long as the descriptors are used up.
final class AcceptPause: ChannelDuplexHandler {
  typealias InboundIn = Channel
  typealias InboundOut = Channel
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  static let length = TimeAmount.seconds(1)
  private static let logged = TimeAmount.minutes(1)

  private let metrics: Metrics
  private let logger: Logger
  private var isPausing = false
  private var lastLogged: NIODeadline?

  init(metrics: Metrics, logger: Logger) {
    self.metrics = metrics
    self.logger = logger
  }

  /// Adds the handler to the channel that listens.
  static func join(_ channel: any Channel, metrics: Metrics, logger: Logger) async throws {
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(
        AcceptPause(metrics: metrics, logger: logger), position: .first)
    }.get()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(failure.errnoCode)
    else {
      context.fireErrorCaught(error)
      return
    }
    metrics.count("proximity_accept_failures_total")
    let now = NIODeadline.now()
    if lastLogged.map({ now - $0 >= Self.logged }) ?? true {
      lastLogged = now
      logger.error(
        "no connection can be accepted; the limit of open files is LimitNOFILE in the unit, or ulimit -n",
        metadata: ["error": "\(failure)"])
    }
    guard !isPausing else { return }
    isPausing = true
    // The failed attempt stays pending in the channel: only with `autoRead` off is the socket not polled.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    let channel = context.channel
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) { [weak self] in
      self?.isPausing = false
      try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}
