import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Forgetting, and what comes late")
struct TimelineForgettingTests {
  /// A server's view of one device: all inputs stored, few kept in memory.
  struct Keeper {
    var timeline: Timeline
    var stored: [Input] = []
    var snapshots: [(keptFrom: Instant?, bytes: [UInt8])] = []
    var told: [Event: Int] = [:]
    var rebuilt = 0

    mutating func take(_ inputs: [Input], _ script: TimelineScript) throws {
      let change = timeline.insert(inputs)
      tell(change)
      defer { stored += inputs }
      guard let from = change.neededFrom else { return }
      let late =
        change.refused.filter { $0.reason == .tooOld }.map { Input.fix($0.fix) }
        + change.refusedCommands.map { Input.command($0.command, at: $0.at) }
      let saved = try #require(snapshots.last { $0.keptFrom.map { $0 <= from } ?? true })
      let taken = inputs.filter { !late.contains($0) }
      let again = timeline.insert(
        late: late, stored: stored + taken, from: try script.restored(saved.bytes))
      #expect(again.neededFrom == nil)
      tell(again)
      // The snapshots do not include the late input.
      snapshots.removeAll { $0.keptFrom.map { $0 > from } ?? false }
      rebuilt += 1
    }

    mutating func tell(_ change: Timeline.Change) {
      for event in change.added { told[event, default: 0] += 1 }
      for event in change.retracted { told[event, default: 0] -= 1 }
    }
  }

  @Test(arguments: Seeds.few(5))
  func `what comes too late is put right from a stored snapshot, as if nothing had been forgotten`(
    seed: Int
  ) throws {
    var script = TimelineScript(seed: UInt64(seed) + 3000)
    var whole = script.timeline
    var keeper = Keeper(timeline: script.timeline)
    keeper.snapshots.append((nil, keeper.timeline.snapshot()))
    while let step = script.next(after: whole) {
      switch step {
      case .insert(let inputs):
        whole.insert(inputs)
        try keeper.take(inputs, script)
      case .advance(let time):
        whole.advance(to: time)
        keeper.tell(keeper.timeline.advance(to: time))
      case .forget(let time, let most): keeper.timeline.forget(before: time, keeping: most)
      case .restore:
        keeper.timeline.forget(keeping: 0)
        let bytes = keeper.timeline.snapshot()
        keeper.snapshots.append((keeper.timeline.keptFrom, bytes))
        keeper.timeline = try script.restored(bytes)
      }
      var held: [Event: Int] = [:]
      for event in whole.events { held[event] = 1 }
      let isSame = keeper.told.filter { $0.value != 0 } == held
      #expect(isSame, "seed \(seed)")
      #expect(keeper.timeline.nextDue == whole.nextDue, "seed \(seed)")
    }
    #expect(keeper.rebuilt > 0, "seed \(seed)")
  }

  @Test func `a device that reports for a year stays as small as it was`() {
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
    var sizes: Set<Int> = []
    for hour in 0..<365 * 24 {
      timeline.insert([
        .fix(
          Fix(
            position: AlarmStory.place(east: hour % 7 == 0 ? 0 : 3000), accuracy: .radius(.metres(5)),
            measuredAt: AlarmStory.start + .hours(Double(hour))))
      ])
      timeline.forget(before: AlarmStory.start + .hours(Double(hour)), keeping: 4)
      #expect(timeline.events.count < 20)
      sizes.insert(timeline.snapshot().count)
    }
    #expect((sizes.max() ?? 0) < 700)
  }

  @Test func `a repeated fix is a duplicate even when all is forgotten, an older one is asked for`() {
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
    func fix(_ seconds: Double) -> Fix {
      Fix(
        position: AlarmStory.place(east: 900), accuracy: .unstated,
        measuredAt: AlarmStory.start + .seconds(seconds))
    }
    timeline.insert([.fix(fix(0)), .fix(fix(10)), .fix(fix(20))])
    timeline.forget(keeping: 0)
    #expect(
      timeline.insert([.fix(fix(20)), .fix(fix(10))]).refused.map { $0.reason } == [.duplicate, .duplicate])
    let old = timeline.insert([.fix(fix(15)), .fix(fix(5)), .fix(fix(30))])
    #expect(old.refused.map { $0.reason } == [.tooOld, .tooOld])
    #expect(old.neededFrom == fix(5).measuredAt)
    #expect(timeline.position == fix(30))
    let answer = Command.close(AlarmID(rawValue: 1))
    let late = timeline.insert([.command(answer, at: fix(7).measuredAt)])
    #expect(late.refusedCommands.map { $0.command } == [answer])
    #expect(late.neededFrom == fix(7).measuredAt)
  }

  @Test func `forgetting up to now keeps a fix welcome that was measured before now but after the last`() {
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: Settings(), zones: [AlarmStory.circle()])
    func fix(_ seconds: Double, _ east: Double) -> Input {
      .fix(
        Fix(
          position: AlarmStory.place(east: east), accuracy: .unstated,
          measuredAt: AlarmStory.start + .seconds(seconds)))
    }
    timeline.insert([fix(0, 0)])
    timeline.advance(to: AlarmStory.start + .seconds(35))
    timeline.forget(keeping: 0)
    #expect(timeline.events.count == 3)
    let change = timeline.insert([fix(25, 300), fix(27, 300)])
    #expect(change.refused.isEmpty)
    let said = change.added.map { AlarmStory.words($0, at: AlarmStory.start, zones: []) }
    #expect(said == ["cleared left @0:08.3"])
    #expect(
      change.retracted.map { AlarmStory.words($0, at: AlarmStory.start, zones: []) } == ["repeat @0:30"])
  }

  @Test func `what is due after the last input is told at its time after all is forgotten`() {
    var settings = Settings()
    settings.change(.signalTimeout, to: 10)
    let last = AlarmStory.start + .seconds(10)
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: settings, zones: [AlarmStory.circle()])
    timeline.insert([
      .fix(
        Fix(position: AlarmStory.place(east: 120), accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    let due = timeline.nextDue
    timeline.forget(keeping: 0)
    #expect(due == last)
    #expect(timeline.nextDue == due)
    #expect(timeline.advance(to: last - .milliseconds(1)).added.isEmpty)
    let told = timeline.advance(to: last).added
    #expect(told.count == 1)
    if case .missedSignal? = told.first?.kind {} else { Issue.record("told otherwise: \(told)") }
  }

  @Test func `time passing in small steps brings about what it does in one`() {
    func timeline() -> Timeline {
      var timeline = Timeline(
        device: DeviceID(rawValue: 1), settings: Settings(),
        zones: [
          AlarmStory.circle(),
          AlarmStory.circle("hours", id: 2) {
            $0.schedule = Schedule(
              windows: [.init(weekdays: .everyDay, opens: 30, closes: 60)], timeZone: "UTC", offsets: [])
          },
        ])
      timeline.insert([
        .fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start))
      ])
      return timeline
    }
    var (slow, quick) = (timeline(), timeline())
    let end = AlarmStory.start + .hours(2)
    var added: [Event] = []
    while let due = slow.nextDue, due <= end { added += slow.advance(to: due).added }
    slow.advance(to: end)
    #expect(quick.advance(to: end).added == added)
    #expect(quick.events == slow.events)
    #expect(added.count > 700)
  }

  @Test func `an answer sent twice counts once, to an unknown alarm not at all`() {
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: [AlarmStory.circle()])
    let change = timeline.insert([
      .fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: AlarmStory.start))
    ])
    guard case .alarm(let report)? = change.added.first?.kind else {
      Issue.record("no alarm")
      return
    }
    let sleep = Input.command(.sleep(report.alarm), at: AlarmStory.start + .seconds(5))
    timeline.insert([sleep])
    let once = timeline.snapshot()
    #expect(timeline.insert([sleep, sleep]) == Timeline.Change())
    #expect(timeline.snapshot() == once)
    let states = timeline.states.map { $0.state }
    timeline.insert([.command(.close(AlarmID(rawValue: 3)), at: AlarmStory.start + .seconds(6))])
    #expect(timeline.states.map { $0.state } == states)
  }

  @Test func `openings that can change nothing are passed over, be it two thousand years of them`() {
    let zone = AlarmStory.circle {
      $0.schedule = Schedule(
        windows: (0..<24).map { .init(weekdays: .everyDay, opens: $0 * 60, closes: $0 * 60 + 30) },
        timeZone: "UTC", offsets: [])
    }
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    func fix(_ time: Instant) -> Input {
      .fix(Fix(position: AlarmStory.place(east: 9000), accuracy: .unstated, measuredAt: time))
    }
    timeline.insert([fix(Instant.allowed.lowerBound), fix(AlarmStory.start + .minutes(40))])
    #expect(timeline.nextDue == AlarmStory.start + .minutes(60))
  }

  @Test func `an accuracy beyond all measure is no accuracy, and traps nothing`() {
    for metres in [1e9, 1e200, Double.greatestFiniteMagnitude] {
      for assurance in Assurance.allCases {
        var timeline = Timeline(
          device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings,
          zones: [AlarmStory.circle { $0.assurance = assurance }])
        timeline.insert(
          (0..<3).map { second in
            .fix(
              Fix(
                position: AlarmStory.origin, accuracy: .radius(.metres(metres)),
                measuredAt: AlarmStory.start + .seconds(Double(second))))
          })
        timeline.advance(to: AlarmStory.start + .minutes(5))
        let rang = timeline.events.contains { if case .alarm = $0.kind { true } else { false } }
        #expect(!rang, "a position that may be anywhere says nothing of a zone")
      }
    }
  }
}
