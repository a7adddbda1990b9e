import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Zones that ring some time before the phone enters them.
@Suite("Alarm: lead time")
struct LeadTimeTests {
  private static func stop(lead: Double = 60) -> Zone { AlarmStory.circle { $0.leadTime = .seconds(lead) } }

  /// 20 m/s towards the zone, whose edge is at 100 m, from 3 km on: 60 s before the edge it is 1,200 m away.
  private static let approach = """
    0:00  x 3000 ±5
    0:15  x 2700 ±5
    0:30  x 2400 ±5
    0:45  x 2100 ±5
    1:00  x 1800 ±5
    1:15  x 1500 ±5
    1:30  x 1200 ±5  -> alarm near @1:25
    """

  @Test func `it rings the lead time before the edge is reached, once`() {
    expectStory(
      [Self.stop()],
      Self.approach + """

        1:45  x 900 ±5
        2:00  x 600 ±5
        2:15  x 300 ±5
        2:30  x 0 ±5
        9:00  wait
        """)
  }

  @Test func `an approach of less than a minute predicts nothing`() {
    expectStory(
      [Self.stop()],
      """
      0:00  x 1500 ±5
      0:15  x 1500 ±5
      0:30  x 1500 ±5
      0:45  x 1500 ±5
      1:00  x 1500 ±5
      1:15  x 1200 ±5
      1:30  x 900 ±5 y 300
      """)
  }

  @Test func `the stated speed of one fix predicts nothing`() {
    expectStory(
      [Self.stop()],
      """
      0:00  x 400 v 20 ±5
      0:30  x 401 v 20 ±5
      1:00  x 399 v 20 ±5
      1:30  x 400 v 20 ±5
      2:00  x 401 v 20 ±5
      """)
  }

  @Test func `a way that goes past the zone rings nothing, one that leads to it does`() {
    expectStory(
      [Self.stop()],
      """
      0:00  x 1800 y 400 ±5
      0:15  x 1500 y 400 ±5
      0:30  x 1200 y 400 ±5
      0:45  x 900 y 400 ±5
      1:00  x 600 y 400 ±5
      1:15  x 300 y 400 ±5
      1:30  x 0 y 400 ±5
      """)
    expectStory(
      [Self.stop()],
      """
      0:00  x 1800 y 90 ±5
      0:15  x 1500 y 90 ±5
      0:30  x 1200 y 90 ±5
      0:45  x 900 y 90 ±5
      1:00  x 600 y 90 ±5   -> alarm near
      """)
  }

  @Test func `the phone turns away, the alarm ends, and the next approach rings`() {
    expectStory(
      [Self.stop()],
      Self.approach + """

        1:45  x 1200 y 300 ±5
        2:00  x 1200 y 600 ±5
        2:15  x 1500 y 600 ±5  -> cleared left @1:55
        2:30  x 1800 y 600 ±5
        2:45  x 2100 y 600 ±5
        3:00  x 2400 y 600 ±5
        3:15  x 2700 y 300 ±5
        3:30  x 2700 ±5
        3:45  x 2400 ±5
        4:00  x 2100 ±5
        4:15  x 1800 ±5
        4:30  x 1500 ±5
        4:45  x 1200 ±5        -> alarm near @4:40
        """)
  }

  @Test func `the phone stops, the alarm ends by the clock, and the next approach rings`() {
    expectStory(
      [Self.stop()],
      Self.approach + """

        1:45  x 1180 ±5
        6:24  wait
        6:26  wait             -> cleared left @6:25
        9:00  x 1180 ±5
        9:15  x 1000 ±5
        9:30  x 850 ±5
        9:45  x 700 ±5
        10:00 x 550 ±5         -> alarm near
        10:15 x 300 ±5
        """)
  }

  @Test func `an alarm whose prediction came true stays until the zone is left`() {
    expectStory(
      [Self.stop()],
      Self.approach + """

        2:30  x 50 ±5
        30:00 x 50 ±5
        31:00 x 400 ±5
        31:20 x 500 ±5  -> cleared left @30:08.6
        """)
  }

  @Test func `a zone that rings after a stay has no lead time`() {
    let zone = AlarmStory.circle {
      $0.leadTime = .seconds(60)
      $0.trigger = .dwell(.seconds(30))
    }
    var story = AlarmStory(zones: [zone])
    #expect(!story.told(Self.approach.replacing("  -> alarm near @1:25", with: "")).contains("->"))
  }

  @Test(arguments: 0..<6)
  func `any order of arrival, and a restart at any time, ends in the same events`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var fixes: [Fix] = []
    var (east, north) = (1500.0, 200.0)
    for step in 0..<240 {
      // Back and forth past a zone, with stops.
      let phase = Double(step % 80)
      east += phase < 30 ? -45 : phase < 40 ? 0 : phase < 70 ? 45 : 2
      north += random.double(in: -8...8)
      fixes.append(
        Fix(
          position: AlarmStory.place(east: east, north: north), accuracy: .radius(.metres(5)),
          measuredAt: AlarmStory.start + .seconds(Double(step) * 10)))
    }
    let large = AlarmStory.circle(radius: 250, id: 2) { $0.leadTime = .seconds(60) }
    let zones = WatchedZones([Self.stop(lead: 120), large])
    func fresh() -> Timeline {
      Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, watched: zones)
    }
    var straight = fresh()
    straight.insert(fixes.map { .fix($0) })
    let end = AlarmStory.start + .hours(2)
    straight.advance(to: end)
    #expect(straight.events.count > 3, "seed \(seed) shows nothing")
    var shuffled = fresh()
    for fix in fixes.shuffled(using: &random) { shuffled.insert([.fix(fix)]) }
    shuffled.advance(to: end)
    #expect(shuffled.events == straight.events, "seed \(seed)")
    var restarted = fresh()
    var told: [Event] = []
    for fix in fixes {
      told += restarted.insert([.fix(fix)]).added
      if random.next() % 4 == 0 {
        restarted.forget(keeping: 0)
        restarted = try Timeline(
          snapshot: restarted.snapshot(), device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings
        ) { _ in zones }
      }
    }
    told += restarted.advance(to: end).added
    #expect(told == straight.events, "seed \(seed)")
  }
}
