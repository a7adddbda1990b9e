import NIOCore
import NIOPosix

#if TLS
  import NIOSSL
  import NIOTLS
#endif

/// Connects to a broker, and passes on the messages published there.
///
/// A message of QoS 1 is acknowledged only when its receiver returns true. After a reconnection the broker
/// sends the unacknowledged messages again.
package struct MQTTConnector: Sendable {
  package struct Limits: Sendable {
    /// The largest payload of a message, in bytes. A larger one is skipped.
    package var largest = 1 << 20
    /// Messages processed at the same time; the broker is not read while there are more.
    package var atOnce = 64
    package var connect = TimeAmount.seconds(10)
    /// A broker that is silent for one and a half times this interval is taken for gone.
    package var keepAliveSeconds: UInt16 = 30
    package init() {}
  }

  /// A message that arrived.
  package enum Event: Sendable {
    case message(MQTTMessage)
    /// A message whose payload exceeds the limit.
    case oversize(topic: String, bytes: Int)
  }

  package let address: MQTTAddress
  package let limits: Limits
  #if TLS
    private let tls: NIOSSLContext?
  #endif

  /// - Parameter trustRoots: a PEM file of certificates to trust instead of the system's.
  /// - Throws: `.unusable` if that file cannot be used, or if a secure connection is requested in a build
  ///   without TLS.
  package init(
    _ address: MQTTAddress, trustRoots: String? = nil, limits: Limits = Limits()
  ) throws(MQTTFailure) {
    self.address = address
    self.limits = limits
    #if TLS
      guard address.isSecure else {
        tls = nil
        return
      }
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let trustRoots { configuration.trustRoots = .file(trustRoots) }
      do { tls = try NIOSSLContext(configuration: configuration) } catch {
        throw .unusable("the certificates to be trusted cannot be used: \(error)")
      }
    #else
      guard !address.isSecure else {
        throw .unusable(
          "mqtts:// found, but this program is built without TLS. Use mqtt:// on a private network, or a program built with --traits TLS"
        )
      }
    #endif
  }

  /// Connects, and returns when the connection ends or the task is cancelled.
  ///
  /// - Parameters:
  ///   - opened: called when the broker has accepted the connection, concurrently with `take`. If it throws,
  ///     the connection ends.
  ///   - take: called for each message, for several at the same time; true acknowledges it.
  /// - Throws: the reason why there is no connection, or why it ended.
  package func run(
    as identity: MQTTIdentity,
    opened: @escaping @Sendable (MQTTSession) async throws(MQTTFailure) -> Void,
    taking take: @escaping @Sendable (Event, MQTTSession) async -> Bool
  ) async throws(MQTTFailure) {
    let (channel, secured) = try await connect()
    do {
      try await channel.executeThenClose { inbound, outbound in
        let late = channel.channel.eventLoop.scheduleTask(in: limits.connect) {
          channel.channel.close(promise: nil)
        }
        defer { late.cancel() }
        // Cancelling a task does not end its wait for a future; closing the channel does.
        try await withTaskCancellationHandler {
          try await secured?.get()
        } onCancel: {
          channel.channel.close(promise: nil)
        }
        try await converse(as: identity, channel.channel, late, inbound, outbound, opened, take)
      }
    } catch let failure as MQTTFailure {
      guard !Task.isCancelled else { return }
      throw failure
    } catch {
      #if TLS
        if error is NIOSSLError || error is BoringSSLError { throw .insecure(Self.words(error)) }
      #endif
      guard !Task.isCancelled else { return }
      throw .connectionLost
    }
  }

  private func converse(
    as identity: MQTTIdentity, _ channel: any Channel, _ late: Scheduled<Void>,
    _ inbound: NIOAsyncChannelInboundStream<MQTTPacket>,
    _ outbound: NIOAsyncChannelOutboundWriter<MQTTPacket>,
    _ opened: @escaping @Sendable (MQTTSession) async throws(MQTTFailure) -> Void,
    _ take: @escaping @Sendable (Event, MQTTSession) async -> Bool
  ) async throws {
    try await outbound.write(
      .connect(
        identity, user: address.user, password: address.password, keepAliveSeconds: limits.keepAliveSeconds))
    var packets = inbound.makeAsyncIterator()
    guard let answer = try await packets.next() else { throw MQTTFailure.connectionLost }
    late.cancel()
    guard case .connack(let isResumed, let code) = answer else {
      throw MQTTFailure.garbled("no answer to the connection")
    }
    guard code == 0 else { throw MQTTFailure.refused(code) }
    let session = MQTTSession(isResumed: isResumed, channel: channel, outbound: outbound)
    defer { session.close() }
    let pause = Duration.milliseconds(Int(limits.keepAliveSeconds) * 500)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        while !Task.isCancelled {
          try await Task.sleep(for: pause)
          try await session.ping()
        }
      }
      group.addTask {
        do throws(MQTTFailure) { try await opened(session) } catch { session.end(error) }
      }
      try await receive(&packets, session, take)
    }
  }

  /// Runs until the connection ends.
  private func receive(
    _ packets: inout NIOAsyncChannelInboundStream<MQTTPacket>.AsyncIterator, _ session: MQTTSession,
    _ take: @escaping @Sendable (Event, MQTTSession) async -> Bool
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      var running = 0
      while let packet = try await packets.next() {
        let event: Event
        let id: UInt16?
        switch packet {
        case .publish(let message): (event, id) = (.message(message), message.id)
        case .oversize(let topic, let number, let bytes):
          (event, id) = (.oversize(topic: topic, bytes: bytes), number)
        case .puback(let id):
          session.answer(id, .success([]))
          continue
        case .suback(let id, let answers):
          session.answer(id, .success(answers))
          continue
        case .pingresp: continue
        case .connack, .connect, .subscribe, .pingreq, .disconnect:
          throw MQTTFailure.garbled("a packet that is out of place")
        }
        if running >= limits.atOnce {
          try await group.next()
          running -= 1
        }
        running += 1
        group.addTask {
          guard await take(event, session), let id else { return }
          try await session.acknowledge(id)
        }
      }
    }
    // The broker closed the connection, this client did, or the broker was silent for too long.
    if !Task.isCancelled { throw session.failure ?? .connectionLost }
  }

  /// - Returns: the connection, and a future that ends when TLS is established on it; nil for a connection
  ///   without TLS.
  private func connect() async throws(MQTTFailure) -> (
    NIOAsyncChannel<MQTTPacket, MQTTPacket>, secured: EventLoopFuture<Void>?
  ) {
    let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(limits.connect)
    let (host, limits) = (address.host, limits)
    #if TLS
      let tls = tls
    #endif
    do {
      return try await bootstrap.connect(host: host, port: address.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          var secured: EventLoopFuture<Void>?
          #if TLS
            if let tls {
              // An IP address is not sent as a server name; the certificate is checked against the address
              // itself.
              let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
              try pipeline.addHandler(
                NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host))
              let handshake = HandshakeHandler(channel.eventLoop.makePromise())
              try pipeline.addHandler(handshake)
              secured = handshake.done.futureResult
            }
          #endif
          try pipeline.addHandler(
            IdleStateHandler(readTimeout: .milliseconds(Int64(limits.keepAliveSeconds) * 1500)))
          try pipeline.addHandler(SilenceHandler())
          try pipeline.addHandler(
            ByteToMessageHandler(MQTTPacketDecoder(largest: limits.largest)))
          try pipeline.addHandler(MessageToByteHandler(MQTTPacketEncoder()))
          return (try NIOAsyncChannel(wrappingChannelSynchronously: channel), secured)
        }
      }
    } catch { throw .unreachable(Self.words(error)) }
  }

  fileprivate static func words(_ error: any Error) -> String { String("\(error)".prefix(200)) }
}

#if TLS
  /// Reports that TLS is established, or why it failed: an earlier write would fail only with a closed
  /// connection.
  private final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    let done: EventLoopPromise<Void>

    init(_ done: EventLoopPromise<Void>) { self.done = done }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .handshakeCompleted = event as? TLSUserEvent { done.succeed() }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      done.fail(MQTTFailure.insecure(MQTTConnector.words(error)))
      context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
      done.fail(MQTTFailure.insecure("the connection ended before it was agreed"))
      context.fireChannelInactive()
    }

    /// Called as well if there never was a connection.
    func handlerRemoved(context: ChannelHandlerContext) { done.fail(MQTTFailure.connectionLost) }
  }
#endif

/// Closes the connection to a broker that was silent for too long.
private final class SilenceHandler: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
