import AlarmEngine
import Geometry
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import AlarmService
@testable import Server
@testable import Store
@testable import StoreTestSupport

/// While one transaction is written, the next is decided.
@Suite("Deciding beside writing", .timeLimit(.minutes(5)))
struct DecidingBesideWritingTests {
  /// Holds transactions of the ingest until a test lets them go, and records which devices are read.
  private final class Gate: Sendable {
    private struct Book {
      var isClosed = false
      var waiting: [CheckedContinuation<StoreError?, Never>] = []
      var read: [SQLValue] = []
    }
    private let book = NIOLockedValueBox(Book())

    func close() {
      book.withLockedValue {
        $0.isClosed = true
        $0.read = []
      }
    }

    /// - Parameter error: the error by which the waiting transactions fail.
    func open(failingBy error: StoreError? = nil) {
      let waiting = book.withLockedValue { book in
        book.isClosed = false
        defer { book.waiting = [] }
        return book.waiting
      }
      for continuation in waiting { continuation.resume(returning: error) }
    }

    func hold() async throws(StoreError) {
      let error: StoreError? = await withCheckedContinuation { continuation in
        let isClosed = book.withLockedValue { book in
          if book.isClosed { book.waiting.append(continuation) }
          return book.isClosed
        }
        if !isClosed { continuation.resume(returning: nil) }
      }
      if let error { throw error }
    }

    var waiting: Int { book.withLockedValue { $0.waiting.count } }

    func hear(_ sql: String, _ arguments: [SQLArguments]) {
      guard sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") else { return }
      book.withLockedValue { book in for one in arguments { book.read += one.values } }
    }

    /// True if the device was read since the gate was closed. With no device in memory, each decision reads
    /// its device.
    func hasRead(_ device: DeviceID) -> Bool {
      book.withLockedValue { $0.read.contains(device.sql.sqlValue) }
    }
  }

  private struct Scene: Sendable {
    let gate = Gate()
    let server: TestServer
    let account: AccountID
    let devices: [DeviceID]
    var store: SQLStore { server.parts.core.store }
    var ingest: Ingest { server.parts.alarms.ingest }
    var waiting: Int { ingest.commits.queue.waiting }

    init(devices count: Int) async throws {
      let gate = gate
      let store = SQLStore(
        HeardDatabase(
          inner: try SQLiteDatabase.inMemory(),
          hold: { writing throws(StoreError) in if case .ingest = writing { try await gate.hold() } },
          hear: { gate.hear($0, $1) }))
      let began = TestServer.start - .hours(1)
      let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: began)
      try await store.create(account)
      let zone = try Zone(
        ZoneDraft(
          id: ZoneID(rawValue: 1), name: "Cliff edge", size: .metres(100),
          outline: .locations([TestPlaces.inside])))
      try await store.replace([zone], of: account.id, in: nil, at: began)
      var devices: [DeviceID] = []
      for number in 0..<count {
        let device = Device(account: account.id, name: "phone \(number)", createdAt: began)
        try await store.create(device, identities: [])
        devices.append(device.id)
      }
      self.account = account.id
      self.devices = devices
      server = try await TestServer(
        queue: IngestQueue(besideWeight: 0), deviceBounds: DeviceCache.Bounds(devices: 0), store: store)
      // Makes the zones ready, which a first report waits for.
      for device in devices { try await report(device, TestPlaces.outside) }
    }

    func report(_ device: DeviceID, _ place: Coordinate) async throws {
      let fix = Fix(
        position: place, accuracy: .radius(.metres(12)), measuredAt: server.clock.now,
        receivedAt: server.clock.now)
      try await ingest.submit(.report(DeviceReport(device: device, fixes: [StoredFix(fix)])))
    }

    /// Begins a report of a device inside the zone, and returns when it waits.
    func begin(_ device: DeviceID) async -> Task<Void, any Error> {
      let before = waiting
      let task = Task { try await report(device, TestPlaces.inside) }
      while waiting == before, !gate.hasRead(device) { await Task.yield() }
      return task
    }

    /// Leaves a report of the first device being written, and one of the second decided meanwhile.
    func writeOneDecideOther() async -> (Task<Void, any Error>, Task<Void, any Error>) {
      // Enough time for the way into the zone.
      server.clock.pass(.minutes(10))
      gate.close()
      let one = await begin(devices[0])
      while gate.waiting == 0 { await Task.yield() }
      let two = await begin(devices[1])
      while !gate.hasRead(devices[1]) { await Task.yield() }
      return (one, two)
    }

    func ringing() async throws -> Set<DeviceID> {
      let alarms = try await store.alarms(of: account, device: nil, before: nil, limit: 1000)
      #expect(alarms.allSatisfy { $0.state == .ringing })
      #expect(Set(alarms.map(\.device)).count == alarms.count)
      return Set(alarms.map(\.device))
    }

    func fixes(of device: DeviceID) async throws -> Int {
      try await store.fixes(of: device, account: account, in: Instant.allowed, limit: 1000).count
    }

    func metric(_ name: String) -> Int {
      let line = server.parts.core.metrics.text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
  }

  @Test func `other devices are decided meanwhile, reports of the same one wait`() async throws {
    let scene = try await Scene(devices: 3)
    let (first, second, third) = (scene.devices[0], scene.devices[1], scene.devices[2])
    // Enough time for the way into the zone.
    scene.server.clock.pass(.minutes(10))
    scene.gate.close()
    let one = await scene.begin(first)
    while scene.gate.waiting == 0 { await Task.yield() }
    scene.server.clock.pass(.seconds(10))
    let again = await scene.begin(first)
    let two = await scene.begin(second)
    let three = await scene.begin(third)
    while !scene.gate.hasRead(second) || !scene.gate.hasRead(third) { await Task.yield() }
    #expect(scene.gate.waiting == 1, "one transaction is written at a time")
    #expect(scene.waiting == 2, "what waits is the second report of the first device, and its fix")
    #expect(try await scene.ringing().isEmpty)
    scene.gate.open()
    for task in [one, again, two, three] { try await task.value }
    #expect(try await scene.ringing() == Set(scene.devices))
    #expect(try await scene.fixes(of: first) == 3)
  }

  @Test func `what cannot be written keeps what is decided beside it from nothing`() async throws {
    let scene = try await Scene(devices: 2)
    let (one, two) = await scene.writeOneDecideOther()
    scene.gate.open(failingBy: .diskFull)
    await #expect(throws: StoreError.diskFull) { try await one.value }
    try await two.value
    #expect(try await scene.ringing() == [scene.devices[1]])
    try await scene.report(scene.devices[0], TestPlaces.inside)
    #expect(try await scene.ringing() == Set(scene.devices))
  }

  @Test
  func
    `one whose device another process was quicker with is decided again, before what was decided beside it`()
    async throws
  {
    let scene = try await Scene(devices: 2)
    let (one, two) = await scene.writeOneDecideOther()
    scene.gate.open(failingBy: .conflict([scene.devices[0]]))
    try await one.value
    try await two.value
    #expect(try await scene.ringing() == Set(scene.devices))
    #expect(scene.metric("proximity_engine_conflicts_total") == 1)
  }

  @Test func `a jump of the clock while a transaction is written counts before anything else is decided`()
    async throws
  {
    let scene = try await Scene(devices: 2)
    // Enough time for the way into the zone.
    scene.server.clock.pass(.minutes(10))
    scene.gate.close()
    let one = await scene.begin(scene.devices[0])
    while scene.gate.waiting == 0 { await Task.yield() }
    scene.server.clock.set(by: .seconds(3600))
    let two = Task { try await scene.report(scene.devices[1], TestPlaces.inside) }
    for _ in 0..<1000 { await Task.yield() }
    #expect(!scene.gate.hasRead(scene.devices[1]))
    scene.gate.open()
    try await one.value
    try await two.value
    #expect(try await scene.ringing() == Set(scene.devices))
    #expect(scene.metric("proximity_clock_jumps_total{direction=\"ahead\"}") == 1)
  }

  /// Walks in and out of the zone, with a different period for each phone.
  private static func isInside(_ step: Int, _ phone: Int) -> Bool { step % (2 + phone) == 1 + phone / 2 }
  private static let steps = 24

  /// Posts a phone's walk as a phone does: each position is repeated until it is accepted.
  private static func walk(_ scene: Scene, phone: Int) async {
    for step in 0..<steps {
      let time = TestServer.start + .seconds(60 * Double(step + 1))
      let fix = Fix(
        position: isInside(step, phone) ? TestPlaces.inside : TestPlaces.outside,
        accuracy: .radius(.metres(12)), measuredAt: time, receivedAt: time)
      let report = DeviceReport(device: scene.devices[phone], fixes: [StoredFix(fix)])
      while (try? await scene.ingest.submit(.report(report))) == nil { await Task.yield() }
    }
  }

  /// Now and then holds a transaction, and then lets it fail or not.
  private static func disturb(_ scene: Scene, _ seed: Int, while goesOn: NIOLockedValueBox<Bool>) async {
    var random = SeededGenerator(seed: UInt64(seed) &+ 11_000)
    while goesOn.withLockedValue({ $0 }) {
      scene.gate.close()
      for _ in 0..<random.next() % 40 { await Task.yield() }
      let kind = random.next() % 4
      let outrun = scene.devices.filter { _ in random.next() % 3 == 0 }
      scene.gate.open(failingBy: kind == 0 ? .diskFull : kind == 1 ? .conflict(outrun) : nil)
      await Task.yield()
    }
  }

  /// Phones that all report at once, with a store that fails and loses races at random.
  @Test(arguments: Seeds.few(6)) func `each phone has the alarms of its walk, whatever is written when`(
    seed: Int
  ) async throws {
    let scene = try await Scene(devices: 9)
    scene.server.clock.pass(.minutes(30))
    let goesOn = NIOLockedValueBox(true)
    let trouble = Task { await Self.disturb(scene, seed, while: goesOn) }
    await withTaskGroup(of: Void.self) { group in
      for phone in scene.devices.indices { group.addTask { await Self.walk(scene, phone: phone) } }
    }
    goesOn.withLockedValue { $0 = false }
    await trouble.value
    let zones = try await scene.store.zoneSet(of: scene.account).zones.compactMap(\.zone)
    let alarms = try await scene.store.alarms(of: scene.account, device: nil, before: nil, limit: 10_000)
    for (phone, device) in scene.devices.enumerated() {
      let fixes = try await scene.store.fixes(
        of: device, account: scene.account, in: Instant.allowed, limit: 100)
      #expect(fixes.count == Self.steps + 1, "phone \(phone), seed \(seed)")
      var timeline = Timeline(device: device, settings: .phone, zones: zones)
      timeline.insert(fixes.map { .fix($0.fix) })
      timeline.advance(to: scene.server.clock.now)
      let rung = timeline.events.compactMap { event -> AlarmID? in
        if case .alarm(let report) = event.kind { report.alarm } else { nil }
      }
      #expect(!rung.isEmpty)
      let stored = alarms.filter { $0.device == device && $0.isOfZone && $0.state != .retracted }
      #expect(stored.map(\.id).sorted() == rung.sorted(), "phone \(phone), seed \(seed)")
    }
  }
}
