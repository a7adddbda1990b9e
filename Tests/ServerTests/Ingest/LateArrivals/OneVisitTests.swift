import AlarmEngine
import Delivery
import Formats
import Geometry
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

/// A visit is one alarm with one id, even if its beginning becomes known later.
@Suite("One visit, one alarm")
struct OneVisitTests {
  private typealias Late = LateArrivalTests

  /// A phone that walks into the zone; then a position arrives that moves the beginning.
  private static func enter(
    _ late: (second: Double, metres: Double) = (4, 220),
    _ body:
      @escaping @Sendable (
        IngestScene, Late.Receiver, AlarmRecord, _ arrive: @Sendable () async throws -> Void
      ) async throws -> Void
  ) async throws {
    try await Late.run(Late.zone(Late.enter, "normal")) { scene, receiver in
      let start = scene.server.clock.now
      _ = try await scene.phone.ownTracks(Late.north(300), at: start)
      await Late.live(scene, 6)
      _ = try await scene.phone.ownTracks(at: start + .seconds(6))
      await Late.live(scene, 2)
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      let alarm = try #require(try await scene.alarms().first)
      try await body(scene, receiver, alarm) {
        _ = try await scene.phone.ownTracks(Late.north(late.metres), at: start + .seconds(late.second))
      }
    }
  }

  @Test(arguments: [(4.0, 220.0), (5, 40), (5, 20), (1, 30), (6, 3)])
  func `a beginning that moves is told to nobody`(second: Double, metres: Double) async throws {
    try await Self.enter((second, metres)) { scene, receiver, alarm, arrive in
      try await arrive()
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      #expect(try await scene.alarms().map(\.id) == [alarm.id])
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      #expect(try await scene.alarms().map(\.rings) == [1])
      await Late.live(scene, 20)
      try await receiver.receive()
      #expect(receiver.told.dropFirst().allSatisfy { $0 == "repeat" } && receiver.told.count > 1)
      #expect(try await scene.alarms().map(\.id) == [alarm.id])
    }
  }

  @Test func `a beginning that moves is kept as it is known now`() async throws {
    try await Self.enter { scene, _, alarm, arrive in
      try await arrive()
      let now = try #require(try await scene.alarms().first)
      #expect(now.began != alarm.began && now.engineID != alarm.engineID && now.id == alarm.id)
    }
  }

  /// Also with a server that restarts between the answer and the late position, or after it.
  @Test(arguments: ["close", "sleep", "acknowledge"], [nil, "before", "after"] as [String?])
  func `an answer holds for the alarm whose beginning moves`(word: String, restart: String?) async throws {
    try await Self.enter { scene, receiver, alarm, arrive in
      let answered = try await scene.anna.post("/api/v1/alarms/\(alarm.id)/\(word)")
      #expect(answered.status == .ok)
      let state = try await scene.store.alarm(alarm.id).state
      await Late.live(scene, 1)
      if restart == "before" { try await scene.server.parts.alarms.ingest.storeChanged() }
      try await arrive()
      if restart == "after" { try await scene.server.parts.alarms.ingest.storeChanged() }
      await Late.live(scene, 5)
      #expect(try await scene.alarms().map(\.id) == [alarm.id])
      #expect(try await scene.store.alarm(alarm.id).state == state)
      try await receiver.receive()
      #expect(receiver.told == ["ring", "withdrawn"])
      // A second answer applies to the same alarm.
      let again = try await scene.anna.post("/api/v1/alarms/\(alarm.id)/acknowledge")
      #expect(again.status == .ok)
      await Late.live(scene, 60)
      #expect(try await scene.store.alarm(alarm.id).state == .acknowledgedInside)
      #expect(try await scene.store.alarm(alarm.id).rings == 1)
    }
  }

  /// The positions of one stay, newest first, each in its own post.
  @Test(arguments: 1..<9)
  func `a stay that is learnt backwards is one alarm`(positions: Int) async throws {
    try await Late.run(Late.zone(Late.enter, "normal")) { scene, receiver in
      let now = scene.server.clock.now
      for number in 0..<positions {
        _ = try await scene.phone.ownTracks(
          Late.north(Double(number)), at: now - .seconds(Double(number) * 15))
        try await receiver.receive()
      }
      _ = try await scene.phone.ownTracks(Late.north(600), at: now - .seconds(Double(positions) * 15 + 60))
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      let alarms = try await scene.alarms()
      #expect(alarms.map(\.state) == [.ringing] && receiver.shown == Set(alarms.map(\.id)))
    }
  }

  /// The way into the zone begins with a position hours before the alarm.
  @Test func `an alarm stays answered whose way began long before it`() async throws {
    try await Late.run(Late.zone(Late.enter, "normal")) { scene, receiver in
      _ = try await scene.phone.ownTracks(Late.north(2000))
      scene.server.clock.pass(.hours(9))
      let start = scene.server.clock.now
      for _ in 0..<12 {
        _ = try await scene.phone.ownTracks()
        await Late.live(scene, 5)
      }
      let alarm = try #require(try await scene.alarms().first)
      let answered = try await scene.anna.post("/api/v1/alarms/\(alarm.id)/acknowledge")
      #expect(answered.status == .ok)
      for _ in 0..<12 {
        await Late.live(scene, 5)
        _ = try await scene.phone.ownTracks()
      }
      try await receiver.receive()
      let told = receiver.told
      _ = try await scene.phone.ownTracks(Late.north(3), at: start + .seconds(7))
      try await receiver.receive()
      #expect(try await scene.alarms().map(\.id) == [alarm.id])
      #expect(try await scene.alarms().map(\.state) == [.acknowledgedInside])
      #expect(receiver.told == told)
    }
  }

  /// The second half of a visit begins where the alarm first seemed to begin.
  @Test func `an alarm that begins where another one seemed to has an id of its own`() async throws {
    try await Late.run(Late.zone(Late.enter, "normal")) { scene, receiver in
      let now = scene.server.clock.now
      // Inside now; then it turns out to have been inside for ten minutes; then to have been elsewhere in
      // between.
      _ = try await scene.phone.ownTracks(at: now)
      _ = try await scene.phone.ownTracks(Late.north(2), at: now - .minutes(10))
      try await receiver.receive()
      #expect(receiver.told == ["ring"])
      for second in [-480.0, -470, -460, -450] {
        _ = try await scene.phone.ownTracks(Late.north(2000), at: now + .seconds(second))
      }
      _ = try await scene.phone.ownTracks(Late.north(600), at: now - .seconds(60))
      try await receiver.receive()
      let alarms = try await scene.alarms()
      #expect(Set(alarms.map(\.id)).count == alarms.count)
      #expect(alarms.count { $0.state == .ringing } == 1 && alarms.count { $0.clearing != nil } == 1)
      #expect(receiver.shown == Set(alarms.filter { $0.state == .ringing }.map(\.id)), "\(receiver.told)")
      #expect(receiver.faults.isEmpty)
    }
  }
}
