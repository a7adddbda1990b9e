import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Alarm: time tables")
struct ScheduledAlarmTests {
  static let eveningOnly = Schedule(
    windows: [.init(weekdays: .everyDay, opens: 60, closes: 120)], timeZone: "UTC", offsets: [])

  @Test func `W12: a window that opens over a standing position rings at once, and closing ends it`() {
    expectStory(
      [AlarmStory.circle { $0.schedule = Self.eveningOnly }],
      """
      0:00  x 0
      1:01:00  wait  -> alarm inside @1:00:00
      1:30:00  x 10
      2:01:00  wait  -> cleared scheduleClosed @2:00:00
      """)
  }

  @Test func `a zone edited under a standing position rings at once; redrawn elsewhere it ends`() {
    let here = AlarmStory.circle()
    let there = AlarmStory.circle(east: 5000)
    let at = { (seconds: Double) in AlarmStory.start + .seconds(seconds) }
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [there])
    timeline.insert([.fix(Fix(position: AlarmStory.origin, accuracy: .unstated, measuredAt: at(0)))])
    #expect(timeline.events == [])
    timeline.insert([.command(.replaceZones(WatchedZones([here])), at: at(10))])
    timeline.insert([.command(.replaceZones(WatchedZones([there])), at: at(20))])
    let said = timeline.events.map { AlarmStory.words($0, at: $0.time, zones: []) }
    #expect(said == ["alarm inside", "cleared zoneEdited"])
    #expect(timeline.events.map { $0.time } == [at(10), at(20)])
  }
}

@Suite("Alarm: fixes that lie")
struct LyingFixTests {
  @Test func `an outlier is quarantined and named, and rings nothing`() {
    expectStory(
      [AlarmStory.circle(east: 10_000)],
      """
      0:00  x 0
      0:10  x 10000
      0:20  x 20    -> ignored outlier @0:10
      """)
  }

  @Test func `a fix that a plane could have reached is an outlier when the next fix is back`() {
    expectStory(
      [AlarmStory.circle(east: 2000)],
      """
      0:00  x 0
      0:10  x 2000
      0:20  x 20    -> ignored outlier @0:10
      """)
  }

  @Test func `of two fixes of one moment the more accurate counts, whatever their order`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±5
      0:20  x 0 ±400
      0:20  x 700 ±5   -> ignored tooCoarse
      """)
  }

  @Test func `a suspect is released by the next fix that agrees, with its own time`() {
    expectStory(
      [AlarmStory.circle(east: 10_000)],
      """
      0:00  x 0
      1:00  x 10000
      1:20  x 10020  -> alarm inside @0:59.4
      """)
  }

  @Test func `a suspect that no fix decides about is told as perhaps after 30 s, and rings when one agrees`()
  {
    expectStory(
      [
        AlarmStory.circle(east: 10_000),
        AlarmStory.circle("stay", east: 10_000, id: 2) { $0.trigger = .leave() },
      ],
      """
      0:00  x 0
      1:00  x 10050
      1:29  wait
      1:31  wait     -> perhaps zone @1:00
      9:00  wait
      9:30  x 10020  -> alarm inside zone @0:59.1
      """)
  }

  @Test func `a suspect that turns out wrong after it was told leaves the zone as it was`() {
    expectStory(
      [AlarmStory.circle(east: 10_000)],
      """
      0:00  x 0
      1:00  x 10000
      2:00  wait     -> perhaps @1:00
      2:10  x 30     -> ignored outlier @1:00
      32:00 x 9000
      34:00 x 10000  -> alarm inside @33:48
      """)
  }

  @Test func `an invalid accuracy is ignored by name`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 0 ±-1   -> ignored invalidAccuracy
      """)
  }

  @Test func `losing the signal beside a zone is an event of its own`() {
    var settings = AlarmStory.quietSettings
    settings.change(.signalTimeout, to: 120)
    expectStory(
      [AlarmStory.circle()], settings: settings,
      """
      0:00  x 400
      0:30  x 140
      3:00  wait   -> missed signal @2:30
      """)
  }
}
