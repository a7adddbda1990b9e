import AlarmService
import Delivery
import Foundation
import Logging
import Places
import Store

/// All parts of the server. Made once, when the server starts.
public struct ServerParts: Sendable {
  public let core: ServerCore
  public let alarms: AlarmParts
  let accounts: AccountParts
  let operation: OperationParts

  init(
    settings: ServerSettings, store: SQLStore, clock: ServerClock = .system, passwords: PasswordHasher,
    services: DeliveryServices, hub: EventHub? = nil, engines: (any EngineCommands)? = nil,
    places: PlaceFinder? = nil, queue: IngestQueue = IngestQueue(),
    deviceBounds: DeviceCache.Bounds = .init(), neighbours: Neighbours = .init(),
    readinessPatience: Duration = StoreHealth.usualPatience,
    oidcHTTP: DeliveryHTTP? = nil, logger: Logger
  ) async throws {
    let metrics = Metrics()
    let hub = hub ?? EventHub(perAccount: settings.streamsPerAccount)
    let core = ServerCore(
      settings: settings, store: store, clock: clock, hub: hub, metrics: metrics, logger: logger,
      health: StoreHealth(
        store: store, clock: clock, metrics: metrics, logger: logger, patience: readinessPatience))
    self.core = core
    let ingest = Ingest(
      store: store, clock: clock, hub: hub, metrics: metrics, logger: logger, queue: queue,
      bounds: deviceBounds, neighbours: neighbours, process: settings.sharesStore ? settings.leaseOwner : nil)
    let phones = PhoneIdentification(store: store, takesUnclaimed: settings.takesUnclaimedPhones)
    ingest.onDeviceChange { phones.forget($0) }
    let answers = PhoneAnswers(store: store)
    let page = try settings.pageFolder.map { try StaticFiles(folder: $0) }
    let links = LinkSigner(keys: [
      try await store.serverValue("link-key", orElse: Secrets.randomBytes())
    ])
    let limits = try await RateLimits(settings, store: store)
    let ways = ChannelWays(
      store: store, services: services, mail: MailGate(store: store, limits: limits.shared),
      clock: clock, logger: logger)
    let outbox = OutboxWorker(
      store: store, clock: clock, ways: ways, links: links, baseURL: core.baseURL, hub: hub,
      metrics: metrics, logger: logger, wakes: ingest.wakes, owner: settings.leaseOwner,
      unreached: { [ingest] in await ingest.cannotReach(by: $0, $1) })
    alarms = AlarmParts(
      engines: engines ?? ingest, services: services, links: links, ingest: ingest, phones: phones,
      answers: answers, ways: ways, outbox: outbox,
      dailyTests: DailyTests(store: store, clock: clock, outbox: outbox, logger: logger),
      positions: HomeAssistantPositions(store: store, ways: ways, clock: clock, logger: logger))
    try await store.begin(FeedEpoch.random())
    accounts = AccountParts(
      sessions: try await Sessions(store: store, limits: limits), passwords: passwords,
      seal: try await SignInSeal(store: store),
      oidc: settings.oidc.map {
        OIDCProvider($0, http: oidcHTTP ?? OIDCProvider.client(trustRoots: settings.trustRoots))
      },
      limits: limits)
    operation = OperationParts(
      page: page, androidApp: settings.androidApp.map { AndroidApp(file: $0) },
      places: places
        ?? PlaceFinder(
          library: settings.dataFolder.map { PlaceLibrary(folder: $0.path) },
          upstream: settings.placesUpstream.map { PlaceUpstream(url: $0, contact: settings.contact) }),
      packs: PackCache(store: store), sights: SharedSights(store: store),
      housekeeping: Housekeeping(
        store: store, settings: settings, clock: clock, health: core.health, logger: logger),
      externalChanges: Self.externalChanges(core, ingest, phones, answers),
      mqtt: MQTTStatus(metrics: metrics),
      caddy: settings.caddy.map { CaddyProxy($0, settings, metrics: metrics, logger: logger) })
  }

  /// Drops from memory the data that other processes have edited, and wakes the streams of its accounts.
  private static func externalChanges(
    _ core: ServerCore, _ ingest: Ingest, _ phones: PhoneIdentification, _ answers: PhoneAnswers
  ) -> ExternalChanges {
    let hub = core.hub
    return ExternalChanges(store: core.store, logger: core.logger) { changes in
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
  }
}
