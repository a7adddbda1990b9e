import AlarmEngine
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Turns without a store: the facts are given, and nothing waits.
@Suite("A job on a device, decided")
struct DeviceDecisionTests {
  private static let account = AccountID(rawValue: 1)
  private static let id = DeviceID(rawValue: 3)
  private static let now = TestServer.start
  private static let zone = Zone.valid(
    id: ZoneID(rawValue: 7), name: "Cliff edge", size: .metres(100),
    outline: .locations([TestPlaces.inside]))
  private static let radius = Settings.phone.defaultRadius

  private static func record(of owner: AccountID?) -> Device {
    Device(id: id, account: owner, name: "phone", createdAt: now - .hours(1))
  }

  private static func state(of owner: AccountID?) -> DeviceState {
    DeviceState(
      device: record(of: owner), snapshot: nil, zoneSet: owner == nil ? nil : .first, fixes: [], commands: [])
  }

  private static func report(_ place: Coordinate, at time: Instant = now) -> IngestJob.Work {
    .report(
      DeviceReport(
        device: id,
        fixes: [
          StoredFix(Fix(position: place, accuracy: .radius(.metres(5)), measuredAt: time, receivedAt: time))
        ]))
  }

  private static let channel = Channel(
    id: ChannelID(rawValue: 5), account: account, kind: .webhook, name: "", address: "{}", createdAt: now)

  /// The answers of a store with one account, one zone and one channel.
  private static func answer(_ facts: inout StoredFacts, _ state: DeviceState?) {
    for fact in facts.missing {
      switch fact {
      case .state(let device): facts.note(state, of: device)
      case .settings(let account): facts.note(settings: "{}", of: account)
      case .channels(let account): facts.note([channel], of: account)
      case .zones(let account, let radius):
        let entry = ZoneSets.Entry(
          revision: .first, watched: WatchedZones([zone], defaultRadius: radius))
        facts.note(entry, of: account, defaultRadius: radius)
      case .lastEdit: facts.note(lastEdit: now - .hours(1), fact)
      case .alarms(let name): facts.note(alarms: [], named: name)
      case .attempts: facts.note(attempts: [], fact)
      case .inputs: facts.note(inputs: [], [], fact)
      case .timeOfFix: facts.note(timeOfFix: nil, fact)
      case .fix: facts.note(fix: nil, fact)
      case .companions: facts.note(companions: [], fact)
      case .companionNeighbours: facts.note(companionNeighbours: [], fact)
      case .formerZones: facts.note(formerZones: [:], fact)
      case .zonesOfThePast(let period): facts.note(zonesOfThePast: nil, period)
      case .lastPlace: facts.note(lastPlace: nil, fact)
      }
    }
    facts.forgetMissing()
  }

  /// Decides until all facts are known.
  /// - Returns: the end, the part of the transaction, and the facts that had to be read, one list for each
  ///   attempt.
  private static func decide(
    _ work: IngestJob.Work, _ state: DeviceState?, after part: IngestTransaction = IngestTransaction(at: now)
  ) -> (end: DeviceDecision.End, part: IngestTransaction, asked: [[StoredFact]]) {
    var facts = StoredFacts()
    var asked: [[StoredFact]] = []
    while true {
      var decision = DeviceDecision(
        context: DecisionContext(now: part.now, awake: Awake(since: now)), facts: facts, part: part)
      if let end = decision.decide(work) { return (end, decision.part, asked) }
      asked.append(decision.facts.missing)
      facts = decision.facts
      answer(&facts, state)
    }
  }

  @Test func `a decision says what it has to read, all at once where it can`() {
    let (_, _, asked) = Self.decide(Self.report(TestPlaces.outside), Self.state(of: Self.account))
    #expect(
      asked == [
        [.state(Self.id)], [.settings(Self.account)], [.zones(Self.account, defaultRadius: Self.radius)],
        [.lastEdit(Self.account, by: Self.now)],
      ])
  }

  @Test func `a device with a ringing alarm is restored once, when all that it needs has been read`() throws {
    let (_, part, _) = Self.decide(Self.report(TestPlaces.inside), Self.state(of: Self.account))
    let alarm = try #require(part.alarms[Self.id]?.values.first)
    var device = part.devices[Self.id]
    let snapshot = device?.snapshot()
    var state = Self.state(of: Self.account)
    state = DeviceState(
      device: state.device, snapshot: snapshot, zoneSet: .first, due: Self.now, fixes: [], commands: [],
      openAlarms: [alarm])
    let mark = DueMark(rawValue: 1)
    let (_, _, asked) = Self.decide(
      .due(Self.id, mark), state, after: IngestTransaction(at: Self.now + .seconds(5)))
    #expect(
      asked == [
        [.state(Self.id)], [.settings(Self.account)], [.zones(Self.account, defaultRadius: Self.radius)],
        [.channels(Self.account), .attempts(alarm.id, Self.account)],
      ])
  }

  @Test func `a device at which another process has looked meanwhile is not even loaded`() throws {
    for due in [nil, Self.now + .seconds(6)] {
      let state = Self.state(of: Self.account)
      let (_, part, asked) = Self.decide(
        .due(Self.id, DueMark(rawValue: 1)),
        DeviceState(
          device: state.device, snapshot: nil, zoneSet: .first, due: due, fixes: [], commands: []),
        after: IngestTransaction(at: Self.now + .seconds(5)))
      #expect(asked == [[.state(Self.id)]])
      #expect(part.devices.isEmpty && part.looked.isEmpty)
    }
  }

  @Test func `a fix inside a zone is an alarm and a delivery, and nothing outside the part has changed`()
    throws
  {
    let before = IngestTransaction(at: Self.now)
    let (end, part, _) = Self.decide(
      Self.report(TestPlaces.inside), Self.state(of: Self.account), after: before)
    guard case .done(let outcome) = end else {
      Issue.record("not done: \(end)")
      return
    }
    #expect(outcome.open.map(\.state) == [.ringing])
    #expect(part.alarms[Self.id]?.values.map(\.subject) == [.zone(Self.zone.id, name: "Cliff edge", .inside)])
    #expect(part.batch.outbox.map(\.channel) == [Self.channel.id])
    #expect(part.stored == [Self.id] && part.published == [Self.account])
    #expect(before.batch.outbox.isEmpty && before.devices.isEmpty)
  }

  @Test func `the same job with the same facts is decided the same way`() throws {
    let results = (0..<2).map { _ in
      Self.decide(Self.report(TestPlaces.inside), Self.state(of: Self.account)).part
    }
    #expect(results[0].alarms == results[1].alarms)
    #expect(results[0].batch.events == results[1].batch.events)
    #expect(results[0].batch.outbox.map(\.payload) == results[1].batch.outbox.map(\.payload))
    var devices = results.map { $0.devices[Self.id] }
    #expect(devices[0]?.snapshot()?.bytes == devices[1]?.snapshot()?.bytes)
  }

  @Test func `reports of a device that nobody has claimed are kept, and watched by no zones`() {
    let (end, part, asked) = Self.decide(Self.report(TestPlaces.inside), Self.state(of: nil))
    #expect(asked == [[.state(Self.id)]])
    guard case .done(let outcome) = end, case .unclaimed? = part.devices[Self.id] else {
      Issue.record("not an unclaimed device: \(end)")
      return
    }
    #expect(outcome.open.isEmpty && outcome.watched == nil)
    #expect(part.batch.fixes.map(\.fixes.count) == [1] && part.batch.events.isEmpty && part.stored.isEmpty)
  }

  @Test func `a device that is gone has no decision, and one that is refreshed is forgotten`() {
    guard case .gone(Self.id) = Self.decide(Self.report(TestPlaces.inside), nil).end else {
      Issue.record("it is there")
      return
    }
    let (end, part, _) = Self.decide(.refresh(Self.id), nil)
    guard case .done = end else {
      Issue.record("not done: \(end)")
      return
    }
    #expect(part.forgotten == [Self.id])
  }

  @Test func `a device whose engine is not on the disk yet is refreshed in the next transaction`() {
    let (_, part, _) = Self.decide(Self.report(TestPlaces.inside), Self.state(of: Self.account))
    guard case .needsNextTransaction = Self.decide(.refresh(Self.id), nil, after: part).end else {
      Issue.record("it was loaded from before the report")
      return
    }
  }

  @Test func `an alarm that an earlier job of the transaction has made can be answered at once`() throws {
    let (_, part, _) = Self.decide(Self.report(TestPlaces.inside), Self.state(of: Self.account))
    let alarm = try #require(part.alarms[Self.id]?.values.first)
    let (end, answered, _) = Self.decide(
      .answer(.acknowledge, alarm, until: Self.now, by: "anna"), nil, after: part)
    guard case .done(let outcome) = end else {
      Issue.record("not done: \(end)")
      return
    }
    #expect(outcome.alarm?.state == .acknowledgedInside && outcome.alarm?.answeredBy == "anna")
    #expect(answered.batch.withdrawn == [alarm.id])
  }
}
