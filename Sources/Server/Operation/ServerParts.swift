import AlarmService
import Delivery
import Foundation
import Logging
import Places
import Store

/// The services that routes use. Made once, when the server starts.
public struct ServerParts: Sendable {
  public let settings: ServerSettings
  public let store: SQLStore
  public let clock: ServerClock
  public let hub: EventHub
  public let metrics: Metrics
  public let engines: any EngineCommands
  /// Makes a channel of each configuration, and sends its messages.
  public let services: DeliveryServices
  /// Signs the links in messages.
  public let links: LinkSigner
  public let logger: Logger
  /// Routes of other modules: the phones' protocols.
  let furtherRoutes: [Route]
  /// Nil as long as no page has been built.
  let page: StaticFiles?
  /// Nil if the operator offers no app.
  let androidApp: AndroidApp?
  let sessions: Sessions
  let passwords: PasswordHasher
  let seal: SignInSeal
  /// Nil if no provider is set.
  let oidc: OIDCProvider?
  let limits: RateLimits
  let housekeeping: Housekeeping
  let externalChanges: ExternalChanges
  /// Stores fixes, and holds the devices' engines.
  let ingest: Ingest
  let outbox: OutboxWorker
  let dailyTests: DailyTests
  let backgroundTasks = BackgroundTasks()
  let imports = RunningImports()
  let health: StoreHealth
  let ways: ChannelWays
  let positions: HomeAssistantPositions
  let phones: PhoneIdentification
  let answers: PhoneAnswers
  let places: PlaceFinder
  let mqtt: MQTTStatus
  let sights: SharedSights
  let packs: PackCache
  /// Nil if the server starts no Caddy.
  let caddy: CaddyProxy?

  init(
    settings: ServerSettings, store: SQLStore, clock: ServerClock = .system, passwords: PasswordHasher,
    services: DeliveryServices, hub: EventHub? = nil, engines: (any EngineCommands)? = nil,
    furtherRoutes: [Route] = [], places: PlaceFinder? = nil, queue: IngestQueue = IngestQueue(),
    deviceBounds: DeviceCache.Bounds = .init(), neighbours: Neighbours = .init(),
    readinessPatience: Duration = StoreHealth.usualPatience,
    oidcHTTP: DeliveryHTTP? = nil, logger: Logger
  ) async throws {
    self.settings = settings
    self.store = store
    self.clock = clock
    self.passwords = passwords
    self.services = services
    self.furtherRoutes = furtherRoutes
    self.logger = logger
    let metrics = Metrics()
    self.metrics = metrics
    let hub = hub ?? EventHub(perAccount: settings.streamsPerAccount)
    self.hub = hub
    mqtt = MQTTStatus(metrics: metrics)
    sights = SharedSights(store: store)
    packs = PackCache(store: store)
    caddy = settings.caddy.map { CaddyProxy($0, settings, metrics: metrics, logger: logger) }
    let ingest = Ingest(
      store: store, clock: clock, hub: hub, metrics: metrics, logger: logger, queue: queue,
      bounds: deviceBounds, neighbours: neighbours, process: settings.sharesStore ? settings.leaseOwner : nil)
    self.ingest = ingest
    let phones = PhoneIdentification(store: store, takesUnclaimed: settings.takesUnclaimedPhones)
    self.phones = phones
    ingest.onDeviceChange { phones.forget($0) }
    let answers = PhoneAnswers(store: store)
    self.answers = answers
    externalChanges = ExternalChanges(store: store, logger: logger) { changes in
      switch changes.edited {
      case .all:
        phones.forgetAll()
        answers.forgetFriends()
        try await ingest.storeChanged()
      case .accounts(let accounts) where !accounts.isEmpty:
        phones.forget(accounts)
        answers.forgetFriends(of: accounts)
        await ingest.storeChanged(accounts)
      case .accounts: break
      }
      switch changes.told {
      case .all: hub.publishAll()
      case .accounts(let accounts): hub.publish(accounts)
      }
    }
    self.engines = engines ?? ingest
    page = try settings.pageFolder.map { try StaticFiles(folder: $0) }
    androidApp = settings.androidApp.map { AndroidApp(file: $0) }
    links = LinkSigner(keys: [
      try await store.serverValue("link-key", orElse: Secrets.randomBytes())
    ])
    limits = try await RateLimits(settings, store: store)
    let ways = ChannelWays(
      store: store, services: services, mail: MailGate(store: store, limits: limits.shared),
      clock: clock,
      logger: logger)
    self.ways = ways
    positions = HomeAssistantPositions(store: store, ways: ways, clock: clock, logger: logger)
    health = StoreHealth(
      store: store, clock: clock, metrics: metrics, logger: logger, patience: readinessPatience)
    outbox = OutboxWorker(
      store: store, clock: clock, ways: ways, links: links,
      baseURL: settings.publicURL?.absoluteString, hub: hub, metrics: metrics, logger: logger,
      wakes: ingest.wakes, owner: settings.leaseOwner,
      unreached: { [ingest] in await ingest.cannotReach(by: $0, $1) })
    dailyTests = DailyTests(store: store, clock: clock, outbox: outbox, logger: logger)
    try await store.begin(FeedEpoch.random())
    sessions = try await Sessions(store: store, limits: limits)
    seal = try await SignInSeal(store: store)
    oidc = settings.oidc.map {
      OIDCProvider($0, http: oidcHTTP ?? OIDCProvider.client(trustRoots: settings.trustRoots))
    }
    housekeeping = Housekeeping(
      store: store, settings: settings, clock: clock, health: health, logger: logger)
    self.places =
      places
      ?? PlaceFinder(
        library: settings.dataFolder.map { PlaceLibrary(folder: $0.path) },
        upstream: settings.placesUpstream.map { PlaceUpstream(url: $0, contact: settings.contact) })
  }

  /// The server's public address, without a slash at the end; nil if no setting states it.
  var baseURL: String? { settings.publicURL?.absoluteString }

  /// The address in links that are sent by mail: the one of a setting, or the one that the server listens on.
  /// It is never taken from a request, since the sender of the request controls that.
  var linkBase: String? { outbox.linkBase }

  /// The free bytes on the disk of the data; nil if unknown.
  func freeBytes() -> Int64? {
    guard let folder = settings.dataFolder else { return nil }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}
