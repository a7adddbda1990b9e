import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Zones that ring when the phone has been outside for some time.
@Suite("Alarm: time outside")
struct TimeOutsideTests {
  private static func garden(
    _ delay: TimeSpan = .minutes(5), _ change: (inout ZoneDraft) -> Void = { _ in }
  ) -> Zone {
    AlarmStory.circle {
      $0.trigger = .leave(after: delay)
      change(&$0)
    }
  }

  @Test(arguments: Assurance.allCases)
  func `it rings by the clock, without a further position`(assurance: Assurance) {
    // A relaxed zone takes two positions outside for certain.
    let due = assurance == .relaxed ? "5:10" : "5:08"
    expectStory(
      [Self.garden { $0.assurance = assurance }],
      """
      0:00  x 0
      0:08  x 200
      0:10  x 210
      5:07  wait
      5:11  wait  -> alarm left @\(due)
      5:12  x 0   -> cleared left @\(due)
      """)
  }

  @Test func `a return within the time cancels it, and the next leaving counts anew`() {
    expectStory(
      [Self.garden()],
      """
      0:00   x 0
      0:10   x 200
      4:00   x 0
      6:00   wait
      6:10   x 200
      11:09  wait
      11:10  wait  -> alarm left
      """)
  }

  @Test func `the time counts from the position that decides, not from one beside the edge`() {
    expectStory(
      [Self.garden()],
      """
      0:00  x 0 ±10
      0:30  x 110 ±10
      1:00  x 125 ±10
      5:30  wait
      6:10  wait  -> alarm left @6:00
      """)
  }

  @Test func `a coarse position that leaves it open does not begin the time anew`() {
    expectStory(
      [Self.garden()],
      """
      0:00  x 0 ±10
      0:10  x 300 ±10
      2:00  x 90 ±150
      5:20  wait  -> alarm left @5:10
      """)
  }

  @Test func `a position inside at the very end comes too late, one a moment before does not`() {
    expectStory(
      [Self.garden()],
      """
      0:00  x 0
      0:10  x 200
      5:10  x 0    -> alarm left, cleared left
      """)
    expectStory(
      [Self.garden()],
      """
      0:00  x 0
      0:10  x 200
      5:09  x 0
      9:00  wait
      """)
  }

  @Test func `switched off, or out of its hours, it forgets the time, as a stay does`() {
    expectStory(
      [Self.garden()],
      """
      0:00  x 0
      0:10  x 200
      2:00  deactivate
      3:00  activate
      9:00  wait
      """)
    expectStory(
      [
        Self.garden {
          $0.schedule = Schedule(
            windows: [.init(weekdays: .everyDay, opens: 0, closes: 4)], timeZone: "UTC",
            offsets: [.init(from: Instant(millisecondsSince1970: 0), seconds: 0)])
        }
      ],
      """
      0:00  x 0
      0:10  x 200
      9:00  wait
      """)
  }

  @Test func `the time is as long as was asked for, whatever the clock did`() {
    expectStory(
      [Self.garden()],
      """
      2:00:00  x 0
      2:00:10  x 200
      0:02:00  clock -2:00:00
      0:05:09  wait
      0:05:20  wait  -> alarm left @5:10
      """)
  }

  @Test func `a signal that is lost during the time is no event of its own`() {
    var settings = AlarmStory.quietSettings
    settings.change(.signalTimeout, to: 60)
    expectStory(
      [Self.garden()], settings: settings,
      """
      0:00  x 0
      0:10  x 130
      5:10  wait  -> alarm left
      """)
  }

  /// Each row: an edit of the zone two minutes after it was left, and the answers up to the tenth minute.
  private static let edits: [(name: String, edit: @Sendable (inout ZoneDraft) -> Void, said: [String])] = [
    ("another name", { $0.name = "other" }, ["alarm left @5:10"]),
    ("another size", { $0.size = .metres(150) }, ["alarm left @5:10"]),
    ("a size that reaches the phone", { $0.size = .metres(300) }, []),
    ("a longer time", { $0.trigger = .leave(after: .minutes(8)) }, ["alarm left @8:10"]),
    ("a shorter time", { $0.trigger = .leave(after: .minutes(1)) }, ["alarm left @1:10"]),
    ("no time", { $0.trigger = .leave() }, ["alarm left @0:10"]),
    ("another trigger", { $0.trigger = .enter(passingCounts: true) }, []),
    ("switched off", { $0.active = false }, []),
  ]

  @Test(arguments: edits.indices) func `an edit of the zone keeps the time, if the phone is still outside`(
    row: Int
  ) {
    var zone = Self.garden()
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    timeline.insert([Self.fix(0, east: 0), Self.fix(10, east: 200)])
    zone.change(Self.edits[row].edit)
    timeline.insert([.command(.replaceZones(WatchedZones([zone])), at: AlarmStory.start + .minutes(2))])
    timeline.advance(to: AlarmStory.start + .minutes(10))
    let said = timeline.events.map { AlarmStory.words($0, at: AlarmStory.start, zones: []) }
    #expect(said == Self.edits[row].said, "\(Self.edits[row].name)")
  }

  @Test func `it explains why it waited, kept silent and rang, and the record gives the same again`() {
    let zone = Self.garden()
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone])
    timeline.insert([
      Self.fix(0, east: 0), Self.fix(10, east: 200), Self.fix(60, east: 210), Self.fix(120, east: 0),
      Self.fix(180, east: 200),
    ])
    timeline.advance(to: AlarmStory.start + .minutes(10))
    let records = timeline.explanations(
      of: zone.id, in: AlarmStory.start...AlarmStory.start + .minutes(10))
    #expect(
      records.map(\.verdict) == [
        .waitsForLeaving, .waitsOutside, .waitsOutside, .cameBack, .waitsOutside, .stayedOutside,
      ])
    for record in records { #expect(record.replayed() == record.verdict) }
    #expect(records.map(\.verdict.rings) == [false, false, false, false, false, true])
  }

  private static func fix(_ second: Double, east: Double) -> Input {
    .fix(
      Fix(
        position: AlarmStory.place(east: east), accuracy: .unstated,
        measuredAt: AlarmStory.start + .seconds(second)))
  }

  // MARK: Any way in and out

  /// The seconds at which it rings, by the definition alone: for each leaving, the next return.
  private static func expected(_ fixes: [(second: Double, isInside: Bool)], delay: Double, end: Double)
    -> [Double]
  {
    fixes.indices.dropFirst().compactMap { place in
      guard fixes[place - 1].isInside, !fixes[place].isInside else { return nil }
      let due = fixes[place].second + delay
      let back = fixes[place...].first(where: \.isInside)?.second ?? .infinity
      return due <= min(back, end) ? due : nil
    }
  }

  @Test(arguments: Seeds.few(60))
  func `any way in and out, in any order of arrival, with restarts at any time, rings as defined`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let delay = Double(Int.random(in: 0...12, using: &random) * 10)
    let zone = Self.garden(.seconds(delay)) { $0.assurance = random.next() % 2 == 0 ? .safety : .normal }
    var second = 0.0
    let fixes = (0..<40).map { _ in
      // In steps of ten seconds, so that ends of the time and positions coincide.
      second += Double(Int.random(in: 1...6, using: &random) * 10)
      return (second: second, isInside: random.next() % 3 == 0)
    }
    let device = DeviceID(rawValue: 1)
    let watched = WatchedZones([zone])
    var timeline = Timeline(device: device, settings: AlarmStory.quietSettings, watched: watched)
    var arrivals = fixes
    let isShuffled = random.next() % 2 == 0
    if isShuffled { arrivals.shuffle(using: &random) }
    var rings: [Double: Int] = [:]
    func note(_ change: Timeline.Change) {
      func add(_ events: [Event], _ number: Int) {
        for event in events {
          guard case .alarm(let report) = event.kind else { continue }
          #expect(report.cause == .left)
          rings[(event.time - AlarmStory.start).seconds, default: 0] += number
        }
      }
      add(change.added, 1)
      add(change.retracted, -1)
    }
    for fix in arrivals {
      if !isShuffled, random.next() % 2 == 0 {
        // The clock alone, up to any moment before the position.
        let now = fix.second - Double(Int.random(in: 1...9, using: &random))
        note(timeline.advance(to: AlarmStory.start + .seconds(now)))
      }
      if random.next() % 4 == 0 {
        timeline = try Timeline(
          snapshot: timeline.snapshot(), device: device, settings: AlarmStory.quietSettings
        ) { _ in watched }
      }
      note(timeline.insert([Self.fix(fix.second, east: fix.isInside ? 0 : 300)]))
    }
    let end = second + delay + 100
    note(timeline.advance(to: AlarmStory.start + .seconds(end)))
    // Without a delay it rings at the interpolated time of the crossing, which other tests check.
    let rung = rings.filter { $0.value != 0 }
    let due = Self.expected(fixes, delay: delay, end: end)
    #expect(rung.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    if delay == 0 {
      #expect(rung.count == due.count, "seed \(seed)")
    } else {
      #expect(rung.keys.sorted() == due, "seed \(seed)")
    }
  }
}
