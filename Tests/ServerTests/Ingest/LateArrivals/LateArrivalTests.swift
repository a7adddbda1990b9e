import AlarmEngine
import Delivery
import Formats
import Geometry
import Store
import Synchronization
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

/// Positions that arrive late, out of order or together with others: people are told the truth.
@Suite("Late arrivals")
struct LateArrivalTests {
  /// A receiver of webhooks that shows each alarm from its first message to its last.
  final class Receiver {
    let scene: IngestScene
    private(set) var told: [String] = []
    private(set) var shown: Set<AlarmID> = []
    /// Alarms that are shown as "may be inside".
    private var doubtful: Set<AlarmID> = []
    /// Redundant messages: an alarm that rings while it is shown, or ends while it is not. An alarm that said
    /// "may be inside" rings again once the phone is inside.
    private(set) var faults: [String] = []

    init(_ scene: IngestScene) { self.scene = scene }

    func receive() async throws {
      // Only one message of each alarm can be leased at a time.
      while true {
        let leased = try await scene.store.lease(
          now: scene.server.clock.now, limit: 1000, for: .hours(24), owner: "test")
        if leased.isEmpty { return }
        for lease in leased {
          try await scene.store.complete(lease, nil)
          switch OutboxMessage(lease.item.payload) {
          case .notice(let notice)? where notice.kind == .cleared: end(notice.alarm, "cleared")
          case .notice(let notice)?:
            told.append(notice.kind.rawValue)
            let isCertain = doubtful.contains(notice.alarm) && notice.cause != .possible
            if notice.kind != .repeat, shown.contains(notice.alarm), !isCertain {
              faults.append("\(notice.alarm) twice")
            }
            shown.insert(notice.alarm)
            if notice.cause == .possible {
              doubtful.insert(notice.alarm)
            } else {
              doubtful.remove(notice.alarm)
            }
          case .withdrawal(let withdrawal)?: end(withdrawal.alarm, "withdrawn")
          case nil: Issue.record("a payload that cannot be read")
          }
        }
      }
    }

    private func end(_ alarm: AlarmID, _ word: String) {
      told.append(word)
      shown.remove(alarm)
    }
  }

  static func zone(_ trigger: [(String, JSONValue)], _ assurance: String) -> [(String, JSONValue)] {
    JSONValue.zone("Cliff edge") + [("trigger", .object(trigger)), ("assurance", .string(assurance))]
  }

  static let enter: [(String, JSONValue)] = [("kind", .string("enter"))]
  static func dwell(_ seconds: Double) -> [(String, JSONValue)] {
    [("kind", .string("dwell")), ("dwell_s", .number(seconds))]
  }

  static func leave(_ seconds: Double) -> [(String, JSONValue)] {
    [("kind", .string("leave")), ("dwell_s", .number(seconds))]
  }

  /// A scene whose zone is older than the positions, with a webhook.
  static func run(
    _ zone: [(String, JSONValue)], _ body: @escaping @Sendable (IngestScene, Receiver) async throws -> Void
  ) async throws {
    try await IngestScene.run(zones: [zone]) { scene in
      _ = try await scene.webhook(9)
      scene.server.clock.pass(.hours(26))
      try await body(scene, Receiver(scene))
    }
  }

  static func north(_ metres: Double) -> Coordinate {
    Coordinate(
      latitude: .degrees(TestPlaces.inside.latitude.degrees + metres / 111_000),
      longitude: TestPlaces.inside.longitude)
  }

  /// Lets time pass second by second, as timers do.
  static func live(_ scene: IngestScene, _ seconds: Int) async {
    for _ in 0..<seconds { await scene.pass(.seconds(1)) }
  }

  @Test(arguments: ["safety", "normal", "relaxed"])
  func `an alarm that a timer rang stays when an earlier position inside arrives`(
    assurance: String
  ) async throws {
    try await Self.run(Self.zone(Self.dwell(10), assurance)) { scene, receiver in
      let start = scene.server.clock.now
      for second in [0.0, 4] {
        _ = try await scene.phone.ownTracks(at: start + .seconds(second))
        await Self.live(scene, 4)
      }
      await Self.live(scene, 4)
      if assurance != "safety" {
        _ = try await scene.phone.ownTracks(Self.north(1), at: scene.server.clock.now)
      }
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      _ = try await scene.phone.ownTracks(Self.north(2), at: start + .seconds(8))
      try await receiver.receive()
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      #expect(try await scene.alarms().map(\.rings) == [1])
      #expect(receiver.told == ["ring"])
      await Self.live(scene, 31)
      try await receiver.receive()
      #expect(try await scene.alarms().first?.rings ?? 0 >= 3)
      #expect(receiver.told.dropFirst().allSatisfy { $0 == "repeat" } && receiver.told.count > 1)
    }
  }

  @Test func `a time outside ends by the server's clock, and an earlier return takes its alarm back`()
    async throws
  {
    try await Self.run(Self.zone(Self.leave(60), "normal")) { scene, receiver in
      let start = scene.server.clock.now
      _ = try await scene.phone.ownTracks(at: start)
      await Self.live(scene, 20)
      _ = try await scene.phone.ownTracks(Self.north(400), at: start + .seconds(20))
      await Self.live(scene, 58)
      try await receiver.receive()
      #expect(receiver.told.isEmpty)
      await Self.live(scene, 4)
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      #expect(try await scene.alarms().map(\.began) == [start + .seconds(80)])
      _ = try await scene.phone.ownTracks(at: start + .seconds(50))
      try await receiver.receive()
      #expect(receiver.told == ["ring", "withdrawn"])
      await Self.live(scene, 200)
      try await receiver.receive()
      #expect(receiver.told == ["ring", "withdrawn"])
    }
  }

  @Test func `a pending message of an alarm that is judged anew and rings on is not dropped`() async throws {
    try await Self.run(Self.zone(Self.dwell(10), "normal")) { scene, receiver in
      let start = scene.server.clock.now
      _ = try await scene.phone.ownTracks(at: start)
      await Self.live(scene, 14)
      _ = try await scene.phone.ownTracks(at: start + .seconds(14))
      await Self.live(scene, 2)
      _ = try await scene.phone.ownTracks(Self.north(2), at: start + .seconds(12))
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      #expect(receiver.shown == Set(try await scene.alarms().filter(\.isOpen).map(\.id)))
    }
  }

  @Test(arguments: [10, 30, 100])
  func `visits of the past are not rung, and the present one is`(visits: Int) async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, receiver in
      let now = scene.server.clock.now
      for visit in 0..<visits {
        let at = now - .seconds(Double(visits - visit) * 700)
        for (second, place) in [(0.0, 600.0), (60, 0), (120, 600), (240, 600)] {
          _ = try await scene.phone.ownTracks(Self.north(place), at: at + .seconds(second))
        }
      }
      try await receiver.receive()
      let past = receiver.told
      #expect(!past.contains("ring") && !past.contains("repeat"), "\(past)")
      _ = try await scene.phone.ownTracks(at: now)
      try await receiver.receive()
      #expect(try await scene.alarms().count == min(100, visits + 1))
      let open = Set(try await scene.alarms().filter(\.isOpen).map(\.id))
      #expect(open.count == 1 && receiver.shown == open)
      #expect(receiver.told.last == "ring")
    }
  }

  @Test func `visits of the past that arrive together are told to programs as over`() async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, receiver in
      let now = scene.server.clock.now
      let fixes = [(-240.0, 600.0), (-180, 0), (-120, 600), (-60, 600), (-10, 600)].map { second, place in
        StoredFix(
          Fix(
            position: Self.north(place), accuracy: .radius(.metres(5)), measuredAt: now + .seconds(second),
            receivedAt: now))
      }
      _ = try await scene.phone.ownTracks(Self.north(700), at: now - .seconds(300))
      let device = try await scene.theDevice().id
      try await scene.server.parts.alarms.ingest.submit(.report(DeviceReport(device: device, fixes: fixes)))
      try await receiver.receive()
      #expect(try await scene.alarms().map(\.isOpen) == [false])
      #expect(receiver.told == ["cleared"])
    }
  }

  /// The phone rests near a zone, was offline for half an hour, and sends its queue one position at a time.
  @Test(arguments: [0.0, 0.3, 2])
  func `a queue that is sent one by one is no lost signal`(between: Double) async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, receiver in
      let beside = Self.north(130)
      _ = try await scene.phone.ownTracks(beside)
      await Self.live(scene, 119)
      try await receiver.receive()
      #expect(receiver.told.isEmpty)
      let start = scene.server.clock.now
      scene.server.clock.pass(.minutes(30))
      for minute in 1..<30 {
        _ = try await scene.phone.ownTracks(beside, at: start + .minutes(Double(minute)))
        await scene.pass(.seconds(between))
      }
      try await receiver.receive()
      #expect(receiver.told.isEmpty && receiver.shown.isEmpty)
      // After that it is silent.
      await Self.live(scene, 117)
      try await receiver.receive()
      #expect(receiver.told.isEmpty)
      await Self.live(scene, 4)
      try await receiver.receive()
      #expect(receiver.told == ["missed_signal"])
      _ = try await scene.phone.ownTracks(beside)
      await scene.pass(.seconds(1))
      try await receiver.receive()
      #expect(receiver.told == ["missed_signal", "cleared"])
      #expect(try await scene.alarms().filter { $0.isOpen }.isEmpty)
    }
  }

  @Test func `a phone that reports each 150 seconds is told as lost once, and each minute`() async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, receiver in
      for _ in 0..<6 {
        _ = try await scene.phone.ownTracks(Self.north(130))
        await Self.live(scene, 150)
        try await receiver.receive()
      }
      #expect(receiver.told == ["missed_signal", "cleared"])
      // After three reports at its old rate, its signal counts as lost after two minutes again.
      for _ in 0..<4 {
        _ = try await scene.phone.ownTracks(Self.north(130))
        await Self.live(scene, 10)
      }
      await Self.live(scene, 120)
      try await receiver.receive()
      #expect(receiver.told == ["missed_signal", "cleared", "missed_signal"])
      for _ in 0..<18 {
        await Self.live(scene, 10)
        try await receiver.receive()
      }
      #expect(receiver.told == ["missed_signal", "cleared"] + Array(repeating: "missed_signal", count: 4))
    }
  }

  @Test func `a phone that usually reports each 150 seconds is not lost after 120`() async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, receiver in
      func report(_ times: Int) async throws {
        for _ in 0..<times {
          _ = try await scene.phone.ownTracks(Self.north(130))
          await Self.live(scene, 150)
        }
      }
      // Three intervals are enough to know the usual one.
      try await report(3)
      let before = try await scene.alarms().count
      _ = try await scene.phone.ownTracks(Self.north(130))
      try await receiver.receive()
      let told = receiver.told
      try await report(5)
      try await receiver.receive()
      #expect(receiver.told == told)
      #expect(try await scene.alarms().count == before)
      await Self.live(scene, 320)
      #expect(try await scene.alarms().count == before + 1)
    }
  }

  /// - Parameter restarts: true if each report goes to a new process.
  @Test(arguments: [false, true])
  func `the usual span between reports outlives a process`(restarts: Bool) async throws {
    try await Self.run(Self.zone(Self.enter, "normal")) { scene, _ in
      _ = try await scene.phone.ownTracks(Self.north(130))
      let device = try await scene.theDevice().id
      var server = scene.server
      func report() async throws {
        let fix = Fix(
          position: Self.north(130), accuracy: .radius(.metres(5)), measuredAt: scene.server.clock.now,
          receivedAt: scene.server.clock.now)
        try await server.parts.alarms.ingest.submit(
          .report(DeviceReport(device: device, fixes: [StoredFix(fix)])))
      }
      func wait(_ seconds: Int) async {
        for _ in 0..<seconds {
          scene.server.clock.pass(.seconds(1))
          await server.parts.alarms.ingest.letTimePass()
        }
      }
      for _ in 0..<3 {
        await wait(150)
        if restarts { server = try await TestServer(store: scene.store, clock: scene.server.clock) }
        try await report()
      }
      let before = try await scene.alarms().count
      server = try await TestServer(store: scene.store, clock: scene.server.clock)
      for _ in 0..<3 {
        await wait(150)
        if restarts { server = try await TestServer(store: scene.store, clock: scene.server.clock) }
        try await report()
      }
      #expect(try await scene.alarms().count == before)
      // Three intervals without a report are a lost signal.
      await wait(460)
      #expect(try await scene.alarms().count == before + 1)
    }
  }

  /// Random walks in and out of a zone, with a latency for each position, to a channel that is slow at times.
  @Test(arguments: Array(0..<24) + [55, 100, 104, 108, 112, 116, 120])
  func `positions end in the same alarms as in their order, and a channel shows those that ring`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: 700 + seed)
    let triggers: [[(String, JSONValue)]] = [
      Self.enter, Self.dwell(20), [("kind", .string("leave"))], Self.leave(20),
    ]
    let trigger = seed < 100 ? triggers[Int(seed % 4)] : [("kind", .string("enter_leave"))]
    let zone = Self.zone(trigger, ["normal", "safety", "relaxed"][Int(seed / 4 % 3)])
    var posts: [(measured: Double, arrives: Double, metres: Double)] = []
    var metres = 250.0
    for number in 0..<40 {
      metres = min(400, max(0, metres + random.double(in: -90...90)))
      let measured = Double(number) * random.double(in: 6...6.5)
      let latency = random.double(in: 0...1) < 0.5 ? random.double(in: 0...2) : random.double(in: 0...60)
      posts.append((measured, measured + latency, metres))
    }
    let inOrder = posts.map { (measured: $0.measured, arrives: $0.measured, metres: $0.metres) }
    posts.sort { $0.arrives < $1.arrives }
    let arrivals = posts
    let slow = (0..<400).map { _ in random.double(in: 0...1) < 0.7 }
    let late = try await Self.visits(zone, arrivals) { scene, receiver, second in
      if !slow[second] { try await receiver.receive() }
    }
    let punctual = try await Self.visits(zone, inOrder) { _, receiver, _ in try await receiver.receive() }
    #expect(late == punctual, "seed \(seed)")
  }

  /// The final state of an alarm, without its id.
  private struct VisitAtTheEnd: Equatable {
    let began: Instant
    let state: AlarmRecord.State
  }

  /// Posts positions, each at its time, and lets 330 seconds pass.
  /// - Returns: the alarms that are valid at the end.
  private static func visits(
    _ zone: [(String, JSONValue)], _ posts: [(measured: Double, arrives: Double, metres: Double)],
    each: @escaping @Sendable (IngestScene, Receiver, _ second: Int) async throws -> Void
  ) async throws -> [VisitAtTheEnd] {
    let visits = Mutex<[VisitAtTheEnd]>([])
    try await Self.run(zone) { scene, receiver in
      let start = scene.server.clock.now
      var next = 0
      for second in 0..<330 {
        while next < posts.count, posts[next].arrives < Double(second) {
          _ = try await scene.phone.ownTracks(
            Self.north(posts[next].metres), at: start + .seconds(posts[next].measured))
          next += 1
        }
        await scene.pass(.seconds(1))
        try await each(scene, receiver, second)
      }
      try await receiver.receive()
      let alarms = try await scene.alarms()
      #expect(receiver.shown == Set(alarms.filter { $0.state == .ringing }.map(\.id)), "\(receiver.told)")
      #expect(receiver.faults.isEmpty, "\(receiver.faults)")
      visits.withLock {
        $0 = alarms.filter { $0.state != .retracted }.map { .init(began: $0.began, state: $0.state) }
      }
    }
    return visits.withLock { $0 }
  }
}
