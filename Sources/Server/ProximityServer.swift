import AlarmEngine
import AlarmService
import Delivery
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Store
import UnixSignals

#if TLS
  import HummingbirdHTTP2
#endif

/// The whole server: made from settings and a store, run as a group of services.
public struct ProximityServer: Sendable {
  public let parts: ServerParts
  /// Nil unless the store is shared with other machines.
  private let sharedClock: SharedClock?
  /// Nil unless the operator has set an MQTT broker.
  private let link: MQTTLink?

  public init(
    settings: ServerSettings, store: SQLStore, passwordCost: PasswordHasher.Cost = .interactive,
    logger: Logger? = nil
  ) async throws {
    let logger = logger ?? Self.logger(settings)
    let key = try await store.serverValue("vapid-key", orElse: VAPIDSigner.newPrivateKey())
    var services = try DeliveryServices(settings, webPushKey: key)
    let outlet = settings.broker.map { BrokerOutlet(root: $0.root) }
    services.mqtt = outlet
    sharedClock = try await SharedClock(store: store, logger: logger)
    parts = try await ServerParts(
      settings: settings, store: store, clock: sharedClock?.clock ?? .system,
      passwords: PasswordHasher(cost: passwordCost), services: services,
      logger: logger)
    sharedClock?.tell(parts.core.metrics)
    link =
      if let broker = settings.broker, let outlet {
        try await MQTTLink(
          parts.core, parts.alarms, parts.operation.mqtt, broker, clientID: MQTTLink.clientID(of: store),
          outlet: outlet)
      } else { nil }
  }

  init(parts: ServerParts) {
    self.parts = parts
    sharedClock = nil
    link = nil
  }

  static func logger(_ settings: ServerSettings) -> Logger {
    Logger(label: "proximity") { JSONLogHandler(label: $0, level: settings.logLevel) }
  }

  /// Runs until SIGTERM or SIGINT; then no new requests are accepted, streams end, and running requests have
  /// `shutdownSeconds`.
  ///
  /// - Parameter started: called when the server listens, with its address, and with a set-up link if there
  ///   is no account.
  public func run(started: @escaping @Sendable (_ address: String, _ setUpLink: String?) -> Void) async throws
  {
    let application = try application { channel in
      do {
        try await ConnectionLimit.join(channel, metrics: parts.core.metrics, logger: parts.core.logger)
      } catch {
        parts.core.logger.error("connections have no limit", metadata: ["error": "\(error)"])
      }
      let address = Self.url(of: channel, parts.core.settings)
      parts.alarms.outbox.listens(at: address)
      parts.operation.caddy?.start(upstreamPort: channel.localAddress?.port ?? parts.core.settings.port)
      do { started(address, try await Self.setUpLink(parts, listeningOn: address)) } catch {
        parts.core.logger.error("no set-up link", metadata: ["error": "\(error)"])
        started(address, nil)
      }
    }
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: Self.endingSignals(), logger: parts.core.logger)
    configuration.maximumGracefulShutdownDuration = Duration.seconds(parts.core.settings.shutdownSeconds)
    let result = await Result { try await ServiceGroup(configuration: configuration).run() }
    parts.alarms.services.shutdown()
    parts.operation.places.upstream?.shutdown()
    await parts.accounts.oidc?.shutdown()
    try await parts.core.store.close()
    try result.get()
  }

  /// The signals that end the server in good order. `SIGHUP` is one unless it is ignored, as under `nohup`.
  private static func endingSignals() -> [UnixSignal] {
    let former = signal(SIGHUP, SIG_IGN)
    signal(SIGHUP, former)
    let isIgnored = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    return [.sigterm, .sigint] + (isIgnored ? [] : [.sighup])
  }

  /// The HTTP application with its services; tests run it without a socket.
  func application(
    onServerRunning: @escaping @Sendable (any NIOCore.Channel) async -> Void = { _ in }
  ) throws -> Application<RouterResponder<AppContext>> {
    let (server, certificates) = Self.serverBuilder(parts.core.settings, parts.core.logger)
    let services: [(any Service)?] = [certificates, sharedClock, link, parts.operation.caddy]
    let further = services.compactMap { $0 }
    return Application(
      router: Self.router(parts), server: server,
      configuration: .init(
        address: .hostname(parts.core.settings.host, port: parts.core.settings.port), serverName: nil),
      services: [
        parts.core.hub, parts.operation.housekeeping, parts.alarms.ingest, parts.alarms.outbox,
        parts.alarms.positions, parts.operation.externalChanges,
        parts.alarms.dailyTests,
      ] + further,
      onServerRunning: onServerRunning,
      logger: parts.core.logger)
  }

  static func router(_ parts: ServerParts) -> Router<AppContext> {
    let router = Router(context: AppContext.self)
    let table = RouteTable.all(parts)
    router.add(
      middleware: EdgeMiddleware(
        settings: parts.core.settings, metrics: parts.core.metrics, addresses: Addresses(table),
        page: parts.operation.page))
    Dispatcher(parts: parts).register(table, on: router)
    return router
  }

  /// - Returns: the builder and, for a server with its own certificate, the service that renews it.
  private static func serverBuilder(
    _ settings: ServerSettings, _ logger: Logger
  ) -> (HTTPServerBuilder, (any Service)?) {
    let limit = TimeAmount.seconds(Int64(settings.idleTimeoutSeconds))
    let http1 = HTTP1Channel.Configuration(
      additionalChannelHandlers: [RequestDeadlines(limit: limit)], idleTimeout: limit)
    #if TLS
      if let files = settings.tls {
        let certificates = TLSCertificates(files, logger: logger)
        let builder = HTTPServerBuilder { responder in
          try certificates.begin { tls in
            try HTTP2UpgradeChannel(
              tlsConfiguration: tls,
              configuration: .init(
                idleTimeout: .seconds(settings.idleTimeoutSeconds), streamConfiguration: http1),
              responder: responder)
          }
          return TimedTLSChannel(certificates: certificates, limit: limit)
        }
        return (builder, certificates)
      }
    #endif
    return (.http1(configuration: http1), nil)
  }

  private static func url(of channel: any NIOCore.Channel, _ settings: ServerSettings) -> String {
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    return
      "\(settings.tls == nil ? "http" : "https")://\(host):\(channel.localAddress?.port ?? settings.port)"
  }

  /// The validity of a set-up link; the next start prints a new one.
  static let setUpLifetime = TimeSpan.hours(24)

  /// A link for making the first account; nil once there is one.
  static func setUpLink(_ parts: ServerParts, listeningOn address: String) async throws -> String? {
    guard try await parts.core.store.accountCount() == 0 else { return nil }
    let secret: String
    do throws(StoreError) {
      secret = try await newSetUpSecret(
        parts.core.store, isAdministrator: true, isPrinted: true, at: parts.core.clock.now())
    } catch {
      // Another process has made an account meanwhile.
      guard error == .taken else { throw error }
      return nil
    }
    // After the #, so that no server or proxy on the way sees the secret.
    return "\(parts.core.baseURL ?? address)/#setup=\(secret)"
  }

  /// Stores a new set-up link.
  /// - Parameter isPrinted: whether a start without accounts prints it; such a link ends with the first
  ///   account.
  /// - Returns: the `token` for `POST /api/v1/setup`.
  public static func newSetUpSecret(
    _ store: SQLStore, isAdministrator: Bool, isPrinted: Bool = false, at now: Instant
  ) async throws(StoreError) -> String {
    let secret = Secrets.random()
    try await store.save(
      SetupLink(
        hash: Secrets.hash(secret), isAdministrator: isAdministrator, isPrinted: isPrinted, createdAt: now,
        expiresAt: now + setUpLifetime))
    return secret
  }
}

extension ProximityServer {
  /// Stores a new token.
  /// - Parameter device: nil lets it report for all devices and use the API.
  /// - Returns: the token, of which only the hash is stored.
  public static func newToken(
    _ store: SQLStore, account: AccountID, device: DeviceID?, name: String, scope: TokenScope = .write,
    at now: Instant
  ) async throws(StoreError) -> String {
    if let device { _ = try await store.device(device, of: account) }
    let secret = Secrets.random()
    try await store.create(
      DeviceToken(
        account: account, device: device, hash: Secrets.hash(secret), name: name, scope: scope,
        createdAt: now))
    return secret
  }
}

extension ProximityServer {
  /// Gives an unclaimed device to an account.
  /// - Returns: the device's token, of which only the hash is stored; nil if the device continues without
  ///   one.
  public static func claim(
    _ device: DeviceID, for account: AccountID, withToken: Bool, _ store: SQLStore, at now: Instant
  ) async throws(StoreError) -> String? {
    let secret = withToken ? Secrets.random() : nil
    let token = secret.map {
      DeviceToken(
        account: account, device: device, hash: Secrets.hash($0), name: "claimed device", createdAt: now)
    }
    _ = try await store.claim(device, for: account, token: token, at: now)
    return secret
  }
}

extension Result where Failure == any Error {
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
