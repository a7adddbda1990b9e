import AlarmService
import Foundation
import Logging
import NIOCore

/// Limits the number of connections so that file descriptors are left for all else, and pauses for a second
/// if accepting one fails nevertheless.
///
/// A process without a free descriptor cannot go on: the database opens no file, and libdispatch, which opens a file of
/// `/proc` for each of its threads, ends the process. Connections beyond the limit wait in the kernel's queue until one
/// closes.
final class ConnectionLimit: ChannelDuplexHandler {
  typealias InboundIn = Channel
  typealias InboundOut = Channel
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  static let pause = TimeAmount.seconds(1)
  private static let logged = TimeAmount.minutes(1)
  /// The descriptors for deliveries, imports and the database, in addition to those open when the server
  /// starts to listen.
  private static let reserve = 64
  /// As many as the units in `deploy` allow.
  private static let mostFiles: rlim_t = 65_536

  private let most: Int
  private let metrics: Metrics
  private let logger: Logger
  private var open = 0
  private var isPausing = false
  private var isAccepting = true
  private var lastLogged: NIODeadline?

  init(most: Int, metrics: Metrics, logger: Logger) {
    self.most = most
    self.metrics = metrics
    self.logger = logger
  }

  /// Adds the handler to the channel that listens.
  static func join(_ channel: any Channel, metrics: Metrics, logger: Logger) async throws {
    let files = raisedFileLimit()
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
    // Two per connection, since a file may be sent over it.
    let most = max(1, (files - open - reserve) / 2)
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(
        ConnectionLimit(most: most, metrics: metrics, logger: logger), position: .first)
    }.get()
  }

  /// Raises the limit of open files as far as the process may, to 65,536 at most.
  /// - Returns: the limit from now on.
  private static func raisedFileLimit() -> Int {
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    let wanted = min(limit.rlim_max, mostFiles)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(min(limit.rlim_cur, mostFiles))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open += 1
    let channel = context.channel
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.open -= 1
      self.update(channel)
    }
    if open == most { tell("\(open) are open, for which half of the open files are kept") }
    update(channel)
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(failure.errnoCode)
    else {
      context.fireErrorCaught(error)
      return
    }
    tell("\(failure)")
    guard !isPausing else { return }
    isPausing = true
    let channel = context.channel
    update(channel)
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in
      self?.isPausing = false
      self?.update(channel)
    }
  }

  /// A failed attempt stays pending in the channel: only with `autoRead` off is the socket not polled.
  private func update(_ channel: any Channel) {
    let accepts = open < most && !isPausing
    guard accepts != isAccepting else { return }
    isAccepting = accepts
    try? channel.syncOptions?.setOption(.autoRead, value: accepts)
  }

  private func tell(_ why: String) {
    metrics.count("proximity_accept_failures_total")
    let now = NIODeadline.now()
    if let lastLogged, now - lastLogged < Self.logged { return }
    lastLogged = now
    logger.error(
      "no further connection is accepted; the limit of open files is LimitNOFILE in the unit, or ulimit -n",
      metadata: ["reason": "\(why)"])
  }
}
