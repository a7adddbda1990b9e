import AlarmEngine
import NIOConcurrencyHelpers
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Two workers on one store, one of them slow, paused or lost.
@Suite("Delivery leases") struct DeliveryLeaseTests {
  /// A receiver that answers when the test lets it.
  private final class Receiver: DeliveryChannel {
    let description = "receiver"
    private let state = NIOLockedValueBox((received: 0, isOpen: false))
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

    var received: Int { state.withLockedValue { $0.received } }

    func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
      let isOpen = state.withLockedValue { state in
        state.received += 1
        return state.isOpen
      }
      arrival.yield()
      if !isOpen { for await _ in openings { break } }
      return .delivered(receipt: "")
    }

    /// Waits until a message has arrived.
    func arrives() async { for await _ in arrivals { break } }

    func open() {
      state.withLockedValue { $0.isOpen = true }
      opening.yield()
    }
  }

  private struct Scene {
    let scene: IngestScene
    let receiver: Receiver
    let alarm: AlarmID
    let workers: [OutboxWorker]
    func attempts() async throws -> [DeliveryAttempt.Outcome] {
      try await scene.store.attempts(of: alarm, account: scene.account).map(\.outcome)
    }
  }

  private static func run(
    _ form: StoreForm, _ body: @escaping @Sendable (Scene) async throws -> Void
  ) async throws {
    let inside: @Sendable (SQLStore) async throws -> Void = { store in
      try await IngestScene.run(store: store) { scene in
        _ = try await scene.webhook(9)
        _ = try await scene.phone.ownTracks()
        let alarm = try #require(try await scene.alarms().first).id
        let receiver = Receiver()
        let parts = scene.server.parts
        var services = DeliveryServices(http: TestServer.http)
        services.substitute = { _ in receiver }
        let ways = ChannelWays(
          store: store, services: services,
          mail: MailGate(store: store, limits: parts.accounts.limits.shared),
          clock: parts.core.clock, logger: TestServer.silent)
        let workers = ["first", "second"].map {
          OutboxWorker(
            store: store, clock: parts.core.clock, ways: ways, links: parts.alarms.links, baseURL: nil,
            hub: parts.core.hub, metrics: parts.core.metrics, logger: TestServer.silent,
            wakes: parts.alarms.ingest.wakes,
            owner: $0)
        }
        try await body(Scene(scene: scene, receiver: receiver, alarm: alarm, workers: workers))
      }
    }
    switch form {
    case .file:
      let store = try SQLStore.inMemory()
      try await inside(store)
    #if PostgreSQL
      case .postgreSQL:
        try await PostgreSQLServer.withDatabase { url in
          let store = try await SQLStore(postgreSQL: url)
          try await inside(store)
          try await store.close()
        }
    #endif
    }
  }

  enum StoreForm: String, CaseIterable, CustomTestStringConvertible {
    case file
    #if PostgreSQL
      case postgreSQL
    #endif
    var testDescription: String { rawValue }
  }

  @Test(arguments: StoreForm.allCases)
  func `another process delivers the messages of a lost one within 20 s`(form: StoreForm) async throws {
    try await Self.run(form) { scene in
      let clock = scene.scene.server.clock
      scene.receiver.open()
      // The first worker leases the message and is lost before it delivers.
      let lost = try await scene.scene.store.lease(
        now: clock.now, limit: 9, for: OutboxLease.duration, owner: "first")
      #expect(lost.count == 1)
      let due = try #require(try await scene.scene.store.nextDue())
      #expect(due - clock.now <= .seconds(20))
      clock.pass(due - clock.now - .milliseconds(1))
      try await scene.workers[1].deliverDue()
      #expect(scene.receiver.received == 0)
      clock.pass(.milliseconds(1))
      try await scene.workers[1].deliverDue()
      #expect(scene.receiver.received == 1)
      #expect(try await scene.attempts() == [.delivered])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a delivery of two minutes is made by one process, once`(form: StoreForm) async throws {
    try await Self.run(form) { scene in
      async let slow: Void = scene.workers[0].deliverDue()
      await scene.receiver.arrives()
      for _ in 0..<24 {
        scene.scene.server.clock.pass(.seconds(5))
        try await scene.workers[0].renewLeases()
        try await scene.workers[1].deliverDue()
      }
      #expect(scene.receiver.received == 1)
      scene.receiver.open()
      try await slow
      try await scene.workers[1].deliverDue()
      #expect(scene.receiver.received == 1)
      #expect(try await scene.attempts() == [.delivered])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a process that stood still leaves what another has delivered`(form: StoreForm) async throws {
    try await Self.run(form) { scene in
      scene.receiver.open()
      let taken = try await scene.workers[0].take()
      #expect(taken.count == 1)
      scene.scene.server.clock.pass(.seconds(20))
      try await scene.workers[1].deliverDue()
      for lease in taken { await scene.workers[0].settle(lease) }
      #expect(scene.receiver.received == 1)
      #expect(try await scene.attempts() == [.delivered])
      #expect(try await scene.scene.store.nextDue().map { $0 > scene.scene.server.clock.now } ?? true)
    }
  }

  @Test func `a process that stood still alone delivers once`() async throws {
    try await Self.run(.file) { scene in
      scene.receiver.open()
      let taken = try await scene.workers[0].take()
      scene.scene.server.clock.pass(.seconds(20))
      #expect(try await scene.workers[0].take().isEmpty)
      for lease in taken { await scene.workers[0].settle(lease) }
      #expect(scene.receiver.received == 1)
    }
  }
}
