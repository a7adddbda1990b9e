import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Timeline")
struct TimelineTests {
  static func timeline(_ journey: RandomJourney) -> Timeline {
    Timeline(device: DeviceID(rawValue: 7), settings: AlarmStory.quietSettings, zones: journey.zones)
  }

  @Test(arguments: Seeds.few(12))
  func `any order, any batches and any repetition of a trace end in the same events`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed), fixes: 70)
    var straight = Self.timeline(journey)
    straight.insert(journey.inputs)
    let end = AlarmStory.start + .hours(5)
    straight.advance(to: end)

    var random = SeededGenerator(seed: UInt64(seed) ^ 0xabcd)
    var shuffled = journey.inputs
    for fix in journey.fixes where random.next() % 4 == 0 {
      // Sent again, unchanged or with a later receipt, which must not change when anything was learned.
      let later = random.next() % 2 == 0 ? fix.receivedAt : fix.receivedAt + .seconds(3000)
      shuffled.append(
        .fix(
          Fix(
            position: fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, receivedAt: later)))
    }
    shuffled.shuffle(using: &random)
    var other = Self.timeline(journey)
    var place = 0
    while place < shuffled.count {
      let size = 1 + Int(random.next() % 9)
      other.insert(Array(shuffled[place..<min(shuffled.count, place + size)]))
      if random.next() % 7 == 0 { other.advance(to: AlarmStory.start + .seconds(random.double(in: 0...900))) }
      place += size
    }
    other.advance(to: end)
    #expect(other.events == straight.events, "seed \(seed)")
    #expect(!straight.events.isEmpty, "seed \(seed) shows nothing")
  }

  @Test func `of fixes of one place and time the one of unstated accuracy comes last, whatever came first`() {
    let fixes = [Fix.Accuracy.unstated, .radius(.metres(.greatestFiniteMagnitude))].map {
      Input.fix(
        Fix(
          position: AlarmStory.place(east: 0), accuracy: $0, measuredAt: AlarmStory.start,
          receivedAt: AlarmStory.start - .hours(1)))
    }
    let events = [fixes, fixes.reversed()].map { order in
      var timeline = Timeline(
        device: DeviceID(rawValue: 7), settings: Settings(), zones: [AlarmStory.circle()])
      for fix in order { timeline.insert([fix]) }
      return timeline.events
    }
    #expect(events[0].count == 2)
    #expect(events[0] == events[1])
  }

  @Test(arguments: Seeds.few(4))
  func `what a change adds and takes back leads from the old events to the new`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 500, fixes: 50)
    var random = SeededGenerator(seed: UInt64(seed))
    var timeline = Self.timeline(journey)
    var told: [Event: Int] = [:]
    for input in journey.inputs.shuffled(using: &random) {
      let change = timeline.insert([input])
      for event in change.added { told[event, default: 0] += 1 }
      for event in change.retracted { told[event, default: 0] -= 1 }
    }
    var held: [Event: Int] = [:]
    for event in timeline.events { held[event, default: 0] = 1 }
    #expect(told.filter { $0.value != 0 } == held, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(4))
  func `a change and those that follow it are together the change from the first events to the last`(
    seed: Int
  ) {
    let journey = RandomJourney(seed: UInt64(seed) + 500, fixes: 50)
    var random = SeededGenerator(seed: UInt64(seed))
    var timeline = Self.timeline(journey)
    var whole = Timeline.Change()
    for input in journey.inputs.shuffled(using: &random) { whole.follow(with: timeline.insert([input])) }
    #expect(
      Set(whole.added) == Set(timeline.events) && whole.added.count == timeline.events.count, "seed \(seed)")
    #expect(whole.retracted == [], "seed \(seed)")
  }

  @Test(arguments: Seeds.few(8))
  func `F5: every record is judged again to the same verdict, and every alarm has one that rang`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 1000)
    var timeline = Self.timeline(journey)
    timeline.insert(journey.inputs)
    timeline.advance(to: AlarmStory.start + .hours(5))
    let span = AlarmStory.start...(AlarmStory.start + .hours(6))
    for zone in journey.zones {
      let records = timeline.explanations(of: zone.id, in: span)
      for record in records { #expect(record.replayed() == record.verdict, "seed \(seed)") }
      for event in timeline.events {
        guard case .alarm(let report) = event.kind, report.zone == zone.id else { continue }
        #expect(
          records.contains { $0.decidedAt == event.decidedAt && $0.verdict.rings }, "seed \(seed), \(event)")
      }
    }
  }

  @Test(arguments: Seeds.few(8))
  func `one alarm has one id and ends at most once, and never before it began`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 2000)
    var timeline = Self.timeline(journey)
    timeline.insert(journey.inputs)
    var open: [ZoneID: AlarmReport] = [:]
    var began: [AlarmID: Instant] = [:]
    for event in timeline.events {
      #expect(event.time <= event.decidedAt && event.decidedAt <= event.learnedAt, "seed \(seed)")
      switch event.kind {
      case .alarm(let report):
        #expect(open[report.zone] == nil || open[report.zone]?.alarm == report.alarm, "seed \(seed)")
        open[report.zone] = report
        began[report.alarm] = event.time
      case .repeat(let report):
        #expect(open[report.zone]?.alarm == report.alarm, "seed \(seed)")
      case .cleared(let report, _):
        #expect(open[report.zone]?.alarm == report.alarm, "seed \(seed)")
        #expect(began[report.alarm].map { $0 <= event.time } ?? false, "seed \(seed)")
        open[report.zone] = nil
      case .missedSignal, .ignored, .notice, .proposal, .perhaps: break
      }
    }
  }

  @Test func `a crossing learned late comes with its true time, and what was said before is taken back`() {
    let zone = AlarmStory.circle()
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    func fix(_ seconds: Double, _ east: Double, received: Double) -> Input {
      .fix(
        Fix(
          position: AlarmStory.place(east: east), accuracy: .unstated,
          measuredAt: AlarmStory.start + .seconds(seconds), receivedAt: AlarmStory.start + .seconds(received))
      )
    }
    timeline.insert([fix(0, 400, received: 0), fix(400, 400, received: 400)])
    let change = timeline.insert([fix(100, 0, received: 500)])
    #expect(change.retracted == [])
    let said = change.added.map { AlarmStory.words($0, at: AlarmStory.start, zones: []) }
    #expect(said.first == "alarm inside @1:15")
    #expect(change.added.first?.learnedAt == AlarmStory.start + .seconds(500))
  }

  @Test func `F2: the time to entry is told from the last two fixes`() throws {
    let zone = AlarmStory.circle(radius: 100)
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    #expect(timeline.timeToEntry(of: zone.id) == nil)
    for (seconds, east) in [(0.0, 600.0), (10, 500)] {
      timeline.insert([
        .fix(
          Fix(
            position: AlarmStory.place(east: east), accuracy: .unstated,
            measuredAt: AlarmStory.start + .seconds(seconds)))
      ])
    }
    let time = try #require(timeline.timeToEntry(of: zone.id))
    #expect(abs(time.earliest.seconds - 400 / 45.0) < 0.01)
    #expect(abs((time.likely?.seconds ?? 0) - 40) < 0.01)
    let latest = try #require(time.latest)
    #expect(abs(latest.seconds - 220) < 0.05)  // Four times 40 s and a minute.
  }

  @Test func `an edit that moves nothing leaves an alarm, a dwell and an acknowledgement as they are`() {
    var zone = AlarmStory.circle { $0.trigger = .dwell(.seconds(60)) }
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    func fix(_ seconds: Double) -> Input {
      .fix(
        Fix(
          position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start + .seconds(seconds)))
    }
    timeline.insert([fix(0)])
    zone.change { $0.name = "another name" }
    timeline.insert([
      .command(.replaceZones(WatchedZones([zone])), at: AlarmStory.start + .seconds(30)), fix(70),
    ])
    let said = timeline.events.map { AlarmStory.words($0, at: AlarmStory.start, zones: []) }
    #expect(said == ["alarm dwell @1:00"])
  }

  @Test func `of two zones with one id the second is refused by name, the same zone twice is one`() {
    let here = AlarmStory.circle()
    let there = AlarmStory.circle("elsewhere", east: 900)
    func refused(_ zones: [Zone]) -> [ZoneError] {
      Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: zones).refusedZones.map {
        $0.error
      }
    }
    #expect(refused([here, there]) == [.idTaken])
    #expect(refused([here, here]) == [])
  }

  @Test func `an answer of the very moment of its alarm counts`() {
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: [AlarmStory.circle()])
    let change = timeline.insert([
      .fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    guard case .alarm(let report)? = change.added.first?.kind else {
      Issue.record("no alarm")
      return
    }
    timeline.insert([.command(.acknowledgeInside(report.alarm), at: AlarmStory.start)])
    timeline.advance(to: AlarmStory.start + .hours(1))
    #expect(timeline.events.count == 1)
  }

  @Test
  func `two fixes of one moment, accuracy and latitude are told apart by longitude, whichever came first`() {
    func fix(_ longitude: Double, _ seconds: Double) -> Input {
      .fix(
        Fix(
          position: Coordinate(latitude: .degrees(47.5), longitude: .degrees(longitude)), accuracy: .unstated,
          measuredAt: AlarmStory.start + .seconds(seconds)))
    }
    func events(_ inputs: [Input]) -> [Event] {
      var timeline = Timeline(
        device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings,
        zones: [AlarmStory.circle(radius: 10)])
      timeline.insert(inputs)
      return timeline.events
    }
    let pair = [fix(11, 10), fix(11.0004, 10)]
    let forward = events([fix(11.001, 0)] + pair + [fix(11.001, 20)])
    #expect(events([fix(11.001, 0)] + pair.reversed() + [fix(11.001, 20)]) == forward)
    #expect(!forward.isEmpty)
  }

  @Test func `a repeated fix is refused by name and changes nothing`() {
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
    let fix = Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start)
    timeline.insert([.fix(fix)])
    let again = timeline.insert([.fix(fix)])
    #expect(again.refused.map { $0.reason } == [.duplicate])
    #expect(again.added == [] && again.retracted == [])
  }

  @Test(arguments: Seeds.few(2))
  func `forgetting the past keeps what comes after as it was`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 3000, fixes: 900)
    var whole = Self.timeline(journey)
    whole.insert(journey.inputs)
    var short = Self.timeline(journey)
    let cut = journey.fixes[600].measuredAt
    short.insert(journey.inputs.filter { $0.time < cut })
    short.forget(before: journey.fixes[560].measuredAt)
    short.insert(journey.inputs.filter { $0.time >= cut })
    #expect(short.events.count < whole.events.count, "seed \(seed)")
    #expect(Array(whole.events.suffix(short.events.count)) == short.events, "seed \(seed)")
    let old = short.insert([.fix(journey.fixes[0])])
    #expect(old.refused.map { $0.reason } == [.tooOld], "seed \(seed)")
  }

  @Test func `an alarm nobody answers repeats for a day and no longer, however long the silence`() {
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: [AlarmStory.circle()])
    timeline.insert([
      .fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    timeline.advance(to: AlarmStory.start + .hours(24 * 900))
    #expect(timeline.events.count == 1 + 24 * 360)
    #expect(timeline.nextDue == nil)
  }

  @Test func `answers to an alarm are found and addressed to another one`() {
    var timeline = Self.timeline(RandomJourney(seed: 1))
    let (former, present, other) = (AlarmID(rawValue: 1), AlarmID(rawValue: 2), AlarmID(rawValue: 3))
    let start = AlarmStory.start
    func answers(_ alarm: AlarmID) -> [Input] {
      let commands: [Command] = [
        .close(alarm), .sleep(alarm), .sleepUntil(alarm, start + .hours(1)), .acknowledgeInside(alarm),
        .acknowledgeForToday(alarm, until: start + .hours(9)),
      ]
      return commands.enumerated().map { .command($1, at: start + .seconds(Double($0))) }
    }
    timeline.insert(answers(former) + answers(other) + [.command(.deactivate, at: start)])
    #expect(timeline.answers(to: former, addressedTo: present) == answers(present))
    #expect(timeline.answers(to: present, addressedTo: former).isEmpty)
  }
}
