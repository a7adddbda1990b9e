import AlarmEngine
import Formats
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Escalation")
struct EscalationTests {
  private static let account = AccountID(rawValue: 1)
  private static let device = DeviceID(rawValue: 3)

  private static func channel(_ id: UInt64, step: Int, isActive: Bool = true) -> Channel {
    Channel(
      id: ChannelID(rawValue: id), account: account, kind: .webhook, name: "", address: "{}",
      isActive: isActive, escalationStep: EscalationStep(nearest: step), createdAt: TestServer.start)
  }

  private static func escalation(
    _ channels: [Channel], delays: EscalationDelays = EscalationDelays()
  ) -> Escalation {
    Escalation(Audience(channels, of: .init(alarm(0), category: nil, offsets: [])), delays: delays)
  }

  private static func alarm(_ step: Int, _ state: AlarmRecord.State = .ringing) -> AlarmRecord {
    AlarmRecord(
      id: AlarmID(rawValue: 9), account: account, device: device,
      subject: .zone(ZoneID(rawValue: 7), name: "Cliff", .inside), state: state, began: TestServer.start,
      decidedAt: TestServer.start, learnedAt: TestServer.start, lastRangAt: TestServer.start,
      escalationStep: EscalationStep(nearest: step))
  }

  private static func attempt(
    _ channel: UInt64, _ outcome: DeliveryAttempt.Outcome, at seconds: Double = 0
  ) -> DeliveryAttempt {
    let at = TestServer.start + .seconds(seconds)
    return DeliveryAttempt(
      alarm: AlarmID(rawValue: 9), channel: ChannelID(rawValue: channel), attempt: 1, startedAt: at,
      endedAt: at, outcome: outcome, detail: "")
  }

  private static func seconds(_ value: Double) -> Instant { TestServer.start + .seconds(value) }

  @Test func `each step waits as a person has set it, the last delay for all that follow`() {
    let delays = EscalationDelays(settings: #"{"escalation_delays_s":[30,120]}"#)
    #expect(
      [1, 2, 3, 9].map { delays.before(step: EscalationStep(nearest: $0)).seconds } == [30, 120, 120, 120])
    let standard = EscalationDelays()
    #expect([1, 2].map { standard.before(step: EscalationStep(nearest: $0)).seconds } == [60, 60])
    for broken in ["", "[]", #"{"escalation_delays_s":[0]}"#, #"{"escalation_delays_s":5}"#, "{"] {
      #expect(EscalationDelays(settings: broken) == standard, "\(broken)")
    }
  }

  @Test func `steps come one after the other, from when the one before was tried`() {
    let escalation = Self.escalation(
      [Self.channel(1, step: 0), Self.channel(2, step: 2), Self.channel(3, step: 5)],
      delays: EscalationDelays(settings: #"{"escalation_delays_s":[30,120]}"#))
    #expect(escalation.numbers.map(\.number) == [0, 2, 5])
    func next(
      _ step: Int, _ attempts: [DeliveryAttempt], _ now: Double
    ) -> EscalationPlan<ChannelID>.Decision {
      escalation.next(Self.alarm(step), attempts, now: Self.seconds(now))
    }
    #expect(next(0, [], 1) == .wait(until: Self.seconds(120)))
    #expect(next(0, [Self.attempt(1, .delivered, at: 7)], 8) == .wait(until: Self.seconds(127)))
    // An attempt later than now: the clock has been set back since.
    #expect(next(0, [Self.attempt(1, .delivered, at: 7)], 1) == .wait(until: Self.seconds(121)))
    #expect(next(0, [], 120) == .start(step: 1, channels: [ChannelID(rawValue: 2)]))
    // Started early, because nobody was reached: the next step counts from there.
    let early = [Self.attempt(1, .rejected, at: 1), Self.attempt(2, .delivered, at: 2)]
    #expect(next(2, early, 3) == .wait(until: Self.seconds(122)))
    #expect(next(5, early, 200) == .exhausted)
  }

  @Test func `who will not be reached is passed over, and nobody reached is said`() {
    let escalation = Self.escalation([Self.channel(1, step: 0), Self.channel(2, step: 1)])
    let refused = Self.attempt(1, .rejected)
    func next(_ step: Int, _ attempts: [DeliveryAttempt]) -> EscalationPlan<ChannelID>.Decision {
      escalation.next(Self.alarm(step), attempts, now: Self.seconds(1))
    }
    #expect(next(0, [refused]) == .start(step: 1, channels: [ChannelID(rawValue: 2)]))
    // A later repeat that is refused does not undo an earlier arrival; a failure that will be retried does
    // not count yet.
    #expect(next(0, [Self.attempt(1, .delivered), refused]) == .wait(until: Self.seconds(60)))
    #expect(next(0, [Self.attempt(1, .failed)]) == .wait(until: Self.seconds(60)))
    #expect(next(1, [refused, Self.attempt(2, .rejected)]) == .nobodyReached)
    #expect(
      escalation.next(Self.alarm(0, .acknowledgedInside), [refused], now: Self.seconds(1)) == .answered)
    let none = Self.escalation([])
    #expect(none.next(Self.alarm(0), [], now: Self.seconds(1)) == .nobodyReached)
  }

  @Test func `a channel that is switched off, or for another device, stands in no plan`() throws {
    var other = Self.channel(2, step: 1)
    other.rule = try ChannelRule(devices: [DeviceID(rawValue: 99)])
    let escalation = Self.escalation(
      [Self.channel(1, step: 0, isActive: false), other, Self.channel(3, step: 2)])
    #expect(escalation.numbers.map(\.number) == [2])
    #expect(escalation.plan.steps.map(\.delay) == [.zero])
  }

  @Test func `a later step takes an unanswered alarm of any zone, unless its rule names kinds`() throws {
    let other = try ChannelRule(zones: [ZoneID(rawValue: 99)])
    var later = Self.channel(2, step: 1)
    later.rule = other
    var first = Self.channel(1, step: 0)
    #expect(Self.escalation([first, later]).numbers.map(\.number) == [0, 1])
    var strict = later
    strict.rule = try ChannelRule(zones: other.zones, kinds: [.ring, .repeat])
    #expect(Self.escalation([first, strict]).numbers.map(\.number) == [0])
    // A first step that is not of the zone leaves its place to the next one; nobody at all tells nobody.
    first.rule = other
    #expect(Self.escalation([first, Self.channel(3, step: 2)]).numbers.map(\.number) == [2])
    #expect(Self.escalation([first, later]).numbers.isEmpty)
  }

  @Test func `an account's delays are obeyed, also by a server that starts in between`() async throws {
    let store = try SQLStore.inMemory()
    try await LocalServer.run { hook in
      try await IngestScene.run(store: store) { scene in
        let set = try await scene.anna.with(.ifMatch, "\"0\"").put(
          "/api/v1/settings", [("escalation_delays_s", .array([.integer(300), .integer(20)]))])
        #expect(set.json["escalation_delays_s"]?.list?.count == 2)
        for step in 0..<3 { _ = try await scene.webhook(hook.port, step: step) }
        func step() async throws -> Int? { try await scene.alarms().first?.escalationStep.number }
        _ = try await scene.phone.ownTracks()
        await scene.pass(.seconds(299))
        #expect(try await step() == 0)
        let again = try await TestServer(store: store, clock: scene.server.clock)
        await again.parts.alarms.ingest.letTimePass()
        #expect(try await step() == 0)
        scene.server.clock.pass(.seconds(2))
        await again.parts.alarms.ingest.letTimePass()
        #expect(try await step() == 1)
        scene.server.clock.pass(.seconds(18))
        await again.parts.alarms.ingest.letTimePass()
        #expect(try await step() == 1)
        scene.server.clock.pass(.seconds(3))
        await again.parts.alarms.ingest.letTimePass()
        #expect(try await step() == 2)
      }
    }
  }

  @Test func `a refusal tells the next step at once, and an answer ends it`() async throws {
    try await LocalServer.run(answers: [CannedAnswer(status: 400)]) { broken in
      try await LocalServer.run { hook in
        try await IngestScene.run { scene in
          _ = try await scene.webhook(broken.port)
          _ = try await scene.webhook(hook.port, step: 1)
          _ = try await scene.webhook(hook.port, step: 2)
          _ = try await scene.phone.ownTracks()
          try await scene.server.parts.alarms.outbox.deliverDue()
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(try await scene.alarms().first?.escalationStep.number == 1)
          #expect(hook.requests.count == 1)
          let alarm = try #require(try await scene.alarms().first).id
          _ = try await scene.anna.post("/api/v1/alarms/\(alarm)/acknowledge")
          await scene.pass(.seconds(300))
          #expect(try await scene.store.alarm(alarm).escalationStep.number == 1)
        }
      }
    }
  }
}
