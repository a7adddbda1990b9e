import AlarmEngine
import Dispatch
import Formats
import Geometry
import HTTPTypes
import NIOConcurrencyHelpers
import NIOPosix
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Zones made ready aside")
struct ZonesMadeReadyTests {
  /// Keeps all threads that make zones ready busy until it is released.
  private final class Hold: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let count = NIOLockedValueBox(0)

    init(_ threads: NIOThreadPool) async {
      let (begun, begins) = AsyncStream.makeStream(of: Void.self)
      for _ in 0..<2 {
        threads.submit { [gate] _ in
          begins.yield()
          gate.wait()
        }
        count.withLockedValue { $0 += 1 }
      }
      var waiting = 2
      for await _ in begun {
        waiting -= 1
        if waiting == 0 { break }
      }
    }

    func letGo() { for _ in 0..<count.withLockedValue({ $0 }) { gate.signal() } }
  }

  private static func watched(_ scene: IngestScene) async throws -> Set<String> {
    let device = try await scene.theDevice()
    let outcome = try await scene.server.parts.alarms.ingest.submit(
      .report(DeviceReport(device: device.id, fixes: [])))
    return Set(outcome.watched?.zones.map { $0.name.string } ?? [])
  }

  @Test func `whose zones take long waits for them, and nobody else does`() async throws {
    try await IngestScene.run { scene in
      let bob = try await scene.server.visitor(
        Visitor(client: scene.phone.client, table: RouteTable.all(scene.server.parts)), "bob")
      #expect(try await bob.post("/api/v1/zones", JSONValue.zone("Bob's")).status == .created)
      let token = try await bob.post("/api/v1/tokens", [("name", .string("phones"))])
      var other = scene.phone
      other.token = token.json["token"]?.string
      #expect(try await scene.phone.ownTracks(TestPlaces.outside).status == 200)
      #expect(try await other.ownTracks(TestPlaces.outside).status == 200)

      let hold = await Hold(scene.server.parts.alarms.ingest.commits.zoneThreads)
      let isSaved = NIOLockedValueBox(false)
      async let edit = {
        let made = try await scene.anna.post("/api/v1/zones", JSONValue.zone("New"))
        isSaved.withLockedValue { $0 = true }
        return made.status
      }()
      while await scene.server.parts.alarms.ingest.commits.waiting.isEmpty { await Task.yield() }
      // Meanwhile Bob's phone enters his zone, and Anna's enters the one that she has had all along.
      for _ in 0..<3 {
        scene.server.clock.pass(.seconds(60))
        #expect(try await other.ownTracks().text.contains("Bob's"))
        #expect(try await scene.phone.ownTracks().text.contains("Cliff edge"))
      }
      #expect(!isSaved.withLockedValue { $0 })
      hold.letGo()
      let status = try await edit
      #expect(status == .created)
      #expect(try await Self.watched(scene) == ["Cliff edge", "New"])
      #expect(try await scene.phone.ownTracks().text.contains("New"))
    }
  }

  @Test
  func `zones that are edited while others are made ready are all watched when their edits are answered`()
    async throws
  {
    try await IngestScene.run { scene in
      #expect(try await scene.phone.ownTracks(TestPlaces.outside).status == 200)
      let hold = await Hold(scene.server.parts.alarms.ingest.commits.zoneThreads)
      let names = (1...5).map { "New \($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          group.addTask {
            let made = try await scene.anna.post("/api/v1/zones", JSONValue.zone(name))
            let watched = try await Self.watched(scene)
            #expect(made.status == .created && watched.contains(name))
          }
        }
        while await scene.server.parts.alarms.ingest.commits.waiting.isEmpty { await Task.yield() }
        hold.letGo()
        try await group.waitForAll()
      }
      #expect(try await Self.watched(scene) == Set(names + ["Cliff edge"]))
      #expect(try await scene.store.devicesDue(of: nil, through: scene.server.clock.now, limit: 9).isEmpty)
    }
  }

  @Test func `who is looked at with zones of before the last edit stays due`() async throws {
    try await IngestScene.run { scene in
      #expect(try await scene.phone.ownTracks(TestPlaces.outside).status == 200)
      let now = scene.server.clock.now
      let zone = Zone.valid(
        id: ZoneID(rawValue: 7), name: "Later", size: .metres(100),
        outline: .locations([TestPlaces.inside]))
      try await scene.store.save(zone, of: scene.account, in: nil, over: nil, at: now)
      let due = try #require(try await scene.store.devicesDue(of: nil, through: now, limit: 9).first)
      let commits = scene.server.parts.alarms.ingest.commits
      let need = ZoneSetNeed(account: scene.account, defaultRadius: Settings.phone.defaultRadius)
      guard case .zonesNotReady(need) = await commits.look(at: due, waitedFor: []) else {
        Issue.record("the zones were ready")
        return
      }
      guard case .done(let stale, _) = await commits.look(at: due, waitedFor: [need]) else {
        Issue.record("the job was not done")
        return
      }
      #expect(stale.looked.isEmpty && stale.devices.count == 1)
      try await scene.server.parts.alarms.ingest.zonesChanged(of: [scene.account], at: now)
      #expect(try await Self.watched(scene) == ["Cliff edge", "Later"])
      #expect(try await scene.store.devicesDue(of: nil, through: now, limit: 9).isEmpty)
    }
  }

  @Test func `a phone that is new while its zones are made ready is answered when they are`() async throws {
    try await IngestScene.run(deviceBounds: .init(devices: 0)) { scene in
      #expect(try await scene.phone.ownTracks(TestPlaces.outside).status == 200)
      let hold = await Hold(scene.server.parts.alarms.ingest.commits.zoneThreads)
      async let edit = scene.anna.post("/api/v1/zones", JSONValue.zone("New")).status
      while await scene.server.parts.alarms.ingest.commits.waiting.isEmpty { await Task.yield() }
      scene.server.clock.pass(.seconds(60))
      async let reply = scene.phone.ownTracks(device: "other")
      hold.letGo()
      let (status, answer) = try await (edit, reply)
      #expect(status == .created && answer.status == 200 && answer.text.contains("New"))
    }
  }
}

extension GroupCommit {
  /// The decision of a transaction with nothing else in it about a due device.
  fileprivate func look(at due: DueDevice, waitedFor: Set<ZoneSetNeed>) async -> Decision {
    var job = IngestJob(work: .due(due.device, due.mark)) { _ in }
    job.waitedFor = waitedFor
    var facts = StoredFacts()
    return await decide(job, after: IngestTransaction(at: clock.now()), &facts)
  }
}
