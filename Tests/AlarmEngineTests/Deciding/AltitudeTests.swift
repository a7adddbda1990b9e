import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Floors and ceilings")
struct AltitudeTests {
  private static func airspace(
    floor: Double? = nil, ceiling: Double? = nil, _ change: (inout ZoneDraft) -> Void = { _ in }
  ) -> Zone {
    AlarmStory.circle { zone in
      zone.floor = floor.map { .metres($0) }
      zone.ceiling = ceiling.map { .metres($0) }
      change(&zone)
    }
  }

  // MARK: Stories

  @Test func `a plane surely over a zone does not ring, and rings once it has descended into it`() {
    expectStory(
      [Self.airspace(ceiling: 1500)],
      """
      0:00  x -900 z 2300/10
      0:20  x -300 z 2300/10
      0:40  x 0 z 2300/10
      0:50  x 50 z 1560/10
      1:00  x 0 z 1520/10   -> alarm inside
      """)
  }

  @Test func `a tunnel surely under a zone does not ring`() {
    expectStory(
      [Self.airspace(floor: 480)],
      """
      0:00  x -300 z 420/5
      0:20  x 300 z 420/5
      0:40  x 0 z 420/5
      1:00  x 0 z 470/5     -> alarm inside
      """)
  }

  @Test func `without a height, or with one that may be wrong, the place alone decides`() {
    for height in ["", "z 2300/270", "z 1640", "z 1600/10?", "z 0", "z 1500/1"] {
      expectStory(
        [Self.airspace(ceiling: 1500)],
        """
        0:00  x -300 \(height)
        0:10  x 0 \(height) -> alarm inside @0:06.7
        """)
    }
  }

  @Test func `a height without a stated error counts as 50 m wrong, three times over`() {
    expectStory(
      [Self.airspace(ceiling: 1500)],
      """
      0:00  x -300 z 1700
      0:10  x 0 z 1651
      0:20  x 0 z 1649 -> alarm inside
      """)
  }

  @Test func `a coarse fix knows its height worse`() {
    expectStory(
      [Self.airspace(ceiling: 1500) { $0.size = .metres(400) }],
      """
      0:00  x -900 z 1700 ±100
      0:20  x 0 z 1700 ±100 -> alarm inside @0:11.1
      """)
  }

  @Test func `the ellipsoid may be 110 m from the sea`() {
    expectStory(
      [Self.airspace(ceiling: 1500)],
      """
      0:00  x -300 z 1700/10?
      0:10  x 0 z 1641/10?
      0:20  x 0 z 1639/10? -> alarm inside
      """)
  }

  @Test func `a zone is left upwards by two certain heights, and not by one that is not`() {
    expectStory(
      [Self.airspace(ceiling: 1500)],
      """
      0:00  x 0 z 1400/10 ±5   -> alarm inside
      0:20  x 0 z 1520/10 ±5
      0:40  x 0 z 1525/10 ±5
      1:00  x 0 z 1600/10 ±5
      1:05  x 0 z 1600/10 ±5
      1:20  x 0 z 1600/10 ±5   -> cleared left @1:00
      1:40  x 0 z 1400/10 ±5   -> alarm inside
      """)
  }

  @Test func `a fix without a height in between keeps the alarm`() {
    expectStory(
      [Self.airspace(ceiling: 1500)],
      """
      0:00  x 0 z 1400/10 ±5   -> alarm inside
      0:20  x 0 z 1600/10 ±5
      0:30  x 0 ±5
      0:40  x 0 z 1600/10 ±5
      0:45  x 0 z 1600/10 ±5
      0:50  x 0 z 1600/10 ±5   -> cleared left @0:40
      """)
  }

  @Test func `a zone that rings on leaving is left upwards too`() {
    expectStory(
      [Self.airspace(ceiling: 1500) { $0.trigger = .leave() }],
      """
      0:00  x 0 z 1400/10
      0:20  x 0 z 1520/10
      0:40  x 0 z 1700/10   -> alarm left
      """)
  }

  @Test func `a stay ends where the phone is surely above`() {
    expectStory(
      [Self.airspace(ceiling: 1500) { $0.trigger = .dwell(.seconds(60)) }],
      """
      0:00  x 0 z 1400/10
      0:30  x 0 z 1700/10
      1:10  x 0 z 1400/10
      2:00  x 0 z 1400/10
      2:10  x 0 z 1400/10   -> alarm dwell
      """)
  }

  @Test func `a way that is surely above passes over, one that begins or ends within passes through`() {
    let zone = Self.airspace(ceiling: 1500)
    expectStory(
      [zone],
      """
      0:00  x -300 z 1600/10
      0:20  x 300 z 2600/10
      """)
    expectStory(
      [zone],
      """
      0:00  x -300 z 1400/10
      0:20  x 300 z 1600/10 -> alarm passed @0:06.7
      """)
    expectStory(
      [Self.airspace(floor: 1000, ceiling: 1500)],
      """
      0:00  x -300 z 900/10
      0:20  x 300 z 1600/10 -> alarm passed @0:06.7
      """)
  }

  @Test func `a safety zone beside a plane that is surely above keeps silent`() {
    expectStory(
      [Self.airspace(ceiling: 1500) { $0.assurance = .safety }],
      """
      0:00  x 105 v 2 z 1600/10 ±20
      0:10  x 105 v 2 z 1510/10 ±20 -> alarm possible
      """)
  }

  @Test func `an edit of the ceiling judges the present height`() {
    let low = Self.airspace(ceiling: 1000)
    let high = Self.airspace(ceiling: 3000)
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [low])
    func at(_ seconds: Double) -> Instant { AlarmStory.start + .seconds(seconds) }
    func replace(_ zone: Zone, _ seconds: Double) -> [Event] {
      timeline.insert([.command(.replaceZones(WatchedZones([zone])), at: at(seconds))]).added
    }
    let altitude = Altitude(metres: 2000, error: 10, reference: .seaLevel)
    let fix = Fix(
      position: AlarmStory.origin, accuracy: .radius(.metres(5)), measuredAt: at(0), altitude: altitude)
    #expect(timeline.insert([.fix(fix)]).added.isEmpty)
    guard case .alarm(let report)? = replace(high, 10).first?.kind else {
      Issue.record("the raised ceiling did not ring")
      return
    }
    #expect(report.cause == .inside)
    guard case .cleared(_, let why)? = replace(low, 20).first?.kind else {
      Issue.record("the lowered ceiling did not end the alarm")
      return
    }
    #expect(why == .zoneEdited)
  }

  @Test func `the record says height and limit, and is judged again to the same verdict`() throws {
    var story = AlarmStory(zones: [Self.airspace(floor: 100, ceiling: 1500)])
    _ = story.told("0:00 x 0 z 2300/10")
    let span = AlarmStory.start...AlarmStory.start
    let record = try #require(story.timeline.explanations(of: ZoneID(rawValue: 1), in: span).first)
    #expect(record.verdict == .overOrUnder && record.replayed() == .overOrUnder)
    guard case .fix(let evidence) = record.basis else {
      Issue.record("no fix")
      return
    }
    #expect(evidence.sighting == .outside)
    let vertical = try #require(evidence.vertical)
    #expect(vertical.side == .above && vertical.height == .metres(2300) && vertical.error == .metres(30))
    #expect(vertical.band == AltitudeBand(floor: .metres(100), ceiling: .metres(1500)))
  }

  @Test func `a zone whose ceiling is not above its floor is refused by both`() {
    for ceiling in [100.0, 99, -5] {
      var draft = Self.airspace(floor: 100).draft
      draft.ceiling = .metres(ceiling)
      #expect(throws: ZoneError.ceilingNotAboveFloor(floor: .metres(100), ceiling: .metres(ceiling))) {
        try Zone(draft)
      }
      let stored = ZoneDraft.stored(id: draft.id, record: Self.record(of: draft))
      #expect(stored.fault == .ceilingNotAboveFloor(floor: .metres(100), ceiling: .metres(ceiling)))
      #expect(stored.draft == draft)
      #expect((try? Zone(draft.withNumbersInRange()))?.band == nil)
    }
  }

  private static func record(of draft: ZoneDraft) -> SyncRecord {
    var record = SyncRecord()
    record.edit(to: draft.fields, at: HybridTime(time: AlarmStory.start, counter: 0, node: 1))
    return record
  }

  @Test func `every floor and ceiling makes another set of zones`() {
    let revisions = [
      Self.airspace(), Self.airspace(floor: 100), Self.airspace(ceiling: 100),
      Self.airspace(floor: 50, ceiling: 100), Self.airspace(floor: 100, ceiling: 150),
    ].map { WatchedZones([$0]).revision }
    #expect(Set(revisions).count == revisions.count)
    #expect(revisions[0] == WatchedZones([AlarmStory.circle()]).revision)
  }

  // MARK: What a phone states

  @Test func `what a phone writes in place of nothing is no height`() {
    let none: [(metres: Double, error: Double?)] = [
      (0, nil), (0, 0), (440, -1), (.nan, 3), (440, .nan), (440, .infinity), (-20_000, 3), (1e6, 3),
      (.infinity, nil),
    ]
    for (metres, error) in none {
      #expect(
        Altitude(metres: metres, error: error, reference: .seaLevel) == nil, "\(metres) \(error as Any)")
    }
    #expect(Altitude(metres: 440, error: 0, reference: .seaLevel)?.error == nil)
    #expect(Altitude(metres: 0, error: 3, reference: .seaLevel)?.height == .zero)
    let vague = Altitude(metres: 440, error: .greatestFiniteMagnitude, reference: .unknown)
    #expect(vague?.error == .metres(1e6))
    #expect(vague?.certainError(radius: .metres(1e8)) == .metres(3e6 + 110))
  }

  @Test func `an error that is certain is three deviations, 3 m each at the least`() {
    func error(_ stated: Double?, _ reference: Altitude.Reference, radius: Double) -> Double? {
      Altitude(metres: 1, error: stated, reference: reference)?.certainError(radius: .metres(radius)).metres
    }
    #expect(error(10, .seaLevel, radius: 5) == 30)
    #expect(error(1, .seaLevel, radius: 5) == 9)
    #expect(error(10, .unknown, radius: 5) == 140)
    #expect(error(nil, .seaLevel, radius: 5) == 150)
    #expect(error(nil, .seaLevel, radius: 100) == 600)
    #expect(error(nil, .unknown, radius: 0) == 260)
  }

  // MARK: Properties against a slow witness

  /// By intervals: 1 if all heights that the phone can have are above the zone, -1 if all are below, else 0.
  private static func isSurelyOutside(_ fix: Fix, _ zone: Zone) -> Int {
    guard let altitude = fix.altitude else { return 0 }
    let radius = (fix.accuracy.stated ?? Settings().unstatedAccuracy).metres
    var deviation = radius * 2 > 50 ? radius * 2 : 50
    if let stated = altitude.error?.metres { deviation = stated < 3 ? 3 : stated }
    let sea = altitude.reference == .unknown ? 110.0 : 0
    let lowest = altitude.height.metres - 3 * deviation - sea
    let highest = altitude.height.metres + 3 * deviation + sea
    if let ceiling = zone.ceiling?.metres, lowest > ceiling { return 1 }
    if let floor = zone.floor?.metres, highest < floor { return -1 }
    return 0
  }

  @Test(arguments: Seeds.few(40))
  func `no verdict of a fix rings where the phone is surely above or below, and no other is silenced`(
    seed: Int
  ) {
    let journey = RandomJourney(seed: UInt64(seed) + 7000)
    let timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: journey.zones)
    var told = timeline
    told.insert(journey.fixes.map { .fix($0) })
    var (outside, within) = (0, 0)
    for zone in journey.zones {
      for record in told.explanations(of: zone.id, in: Instant.allowed) {
        guard case .fix(let evidence) = record.basis else { continue }
        let fixes = journey.fixes.filter {
          $0.measuredAt == evidence.measuredAt && $0.position == evidence.position
        }
        let sides = Set(fixes.map { Self.isSurelyOutside($0, zone) })
        // A place judged again when the zone opens has another time; two reports with one time may differ.
        guard sides.count == 1, let side = sides.first else { continue }
        let expected: AltitudeBand.Side = side == 0 ? .within : side > 0 ? .above : .below
        #expect(evidence.vertical?.side ?? .within == expected, "seed \(seed)")
        if side == 0 {
          within += 1
          #expect(record.verdict != .overOrUnder, "seed \(seed)")
        } else {
          outside += 1
          let mayRing: Set<Verdict> = [.passedThrough, .stillPossible, .wentOut, .rangAnew]
          #expect(
            !record.verdict.rings || mayRing.contains(record.verdict), "seed \(seed): \(record.verdict)")
        }
        #expect(record.replayed() == record.verdict, "seed \(seed)")
      }
    }
    #expect(outside > 0 && within > 0, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(20))
  func `heights that are surely above all along are as if the zone were not there`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 7100)
    let high = journey.fixes.map { Self.fix($0, Altitude(metres: 9000, error: 20, reference: .unknown)) }
    let zones = journey.zones.map { zone in
      var zone = zone
      zone.change { ($0.floor, $0.ceiling) = (nil, .metres(8000)) }
      return zone
    }
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones)
    timeline.insert(high.map { .fix($0) })
    let rung = timeline.events.filter { if case .alarm = $0.kind { true } else { false } }
    #expect(rung.isEmpty, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(20))
  func `heights that exclude nothing change no event, in any order of arrival`(seed: Int) {
    let journey = RandomJourney(seed: UInt64(seed) + 7200)
    let flat = journey.fixes.map { Self.fix($0, nil) }
    let zones = journey.zones.map { zone in
      var zone = zone
      zone.change { ($0.floor, $0.ceiling) = (.metres(-400), .metres(2000)) }
      return zone
    }
    let without = zones.map { zone in
      var zone = zone
      zone.change { ($0.floor, $0.ceiling) = (nil, nil) }
      return zone
    }
    func events(_ zones: [Zone], _ fixes: [Fix]) -> [UInt8] {
      var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones)
      for fix in fixes { timeline.insert([.fix(fix)]) }
      // Ignored fixes are left out: their events hold the height.
      return EventBytes.encode(timeline.events.filter { if case .ignored = $0.kind { false } else { true } })
    }
    var random = SeededGenerator(seed: UInt64(seed))
    let expected = events(without, flat)
    #expect(events(zones, flat) == expected, "seed \(seed)")
    #expect(events(zones, journey.fixes) == expected, "seed \(seed)")
    #expect(events(zones, journey.fixes.shuffled(using: &random)) == expected, "seed \(seed)")
  }

  private static func fix(_ fix: Fix, _ altitude: Altitude?) -> Fix {
    Fix(
      position: fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, receivedAt: fix.receivedAt,
      speed: fix.speed, course: fix.course, altitude: altitude)
  }
}
