import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Alarm: between two fixes")
struct PassingTests {
  @Test
  func `a 1 s crossing of a 30 m zone between two fixes 20 s apart is reported as passed, with its time`() {
    expectStory(
      [AlarmStory.circle(radius: 15)],
      """
      0:00  x -300
      0:20  x 300   -> alarm passed @0:09.5
      0:30  x 400   -> cleared passedThrough @0:10.5
      """)
  }

  @Test func `a zone for which passing does not count keeps silent`() {
    expectStory(
      [AlarmStory.circle(radius: 15) { $0.trigger = .enter(passingCounts: false) }],
      """
      0:00  x -300
      0:20  x 300
      """)
  }

  @Test func `a crossing with less room than the errors is none, but for safety it is`() {
    expectStory(
      [AlarmStory.circle(radius: 15)],
      """
      0:00  x -300 ±10
      0:20  x 300 ±10
      """)
    expectStory(
      [AlarmStory.circle(radius: 15) { $0.assurance = .safety }],
      """
      0:00  x -300 ±10
      0:20  x 300 ±10  -> alarm passed @0:09.5
      """)
  }

  @Test func `a line that is narrower than the errors is crossed all the same, when the way leads across it`()
  {
    let ends = [AlarmStory.place(east: 0, north: -500), AlarmStory.place(east: 0, north: 500)]
    var railway = AlarmStory.circle()
    railway.change { $0.outline = .path(ends) }
    railway.change { $0.size = .metres(3) }
    expectStory(
      [railway],
      """
      0:00  x -40 ±5
      0:20  x 40 ±5   -> alarm passed @0:09.3
      """)
  }

  @Test func `an hour between two fixes says nothing of the way`() {
    expectStory(
      [AlarmStory.circle(radius: 15)],
      """
      0:00  x -300
      59:00 x 300
      """)
  }
}

@Suite("Alarm: staying and leaving")
struct StayingTests {
  @Test func `after a long gap, a stay begins with the position that shows it`() {
    expectStory(
      [AlarmStory.circle { $0.trigger = .dwell(.minutes(5)) }],
      """
      0:00   x 2000
      20:00  x 0
      22:00  x 0
      24:59  x 0
      25:00  x 0   -> alarm dwell
      """)
    // After a short one, it begins where the straight way crosses the edge.
    expectStory(
      [AlarmStory.circle { $0.trigger = .dwell(.minutes(5)) }],
      """
      0:00  x 2000
      5:00  x 0
      9:44  x 0
      9:46  x 0   -> alarm dwell @9:45
      """)
  }

  @Test func `dwell rings when the time is over, an unsure fix neither starts nor breaks it`() {
    expectStory(
      [AlarmStory.circle { $0.trigger = .dwell(.seconds(60)) }],
      """
      0:00  x 300 ±5
      0:10  x 90 ±5
      0:20  x 50 ±5
      0:50  x 105 ±20
      1:20  x 60 ±5   -> alarm dwell @1:09.5
      """)
    expectStory(
      [AlarmStory.circle { $0.trigger = .dwell(.seconds(60)) }],
      """
      0:00  x 50
      0:30  x 300
      1:20  x 60
      """)
  }

  @Test func `a stay ends by coarse fixes that are more likely inside than not`() {
    expectStory(
      [AlarmStory.circle { $0.trigger = .dwell(.seconds(600)) }],
      """
      0:00   x 10 ±10
      5:00   x 40 ±65
      9:00   x 150 ±65
      10:10  x 50 ±65   -> alarm dwell @10:00
      """)
    expectStory(
      [AlarmStory.circle { ($0.trigger, $0.assurance) = (.dwell(.seconds(600)), .relaxed) }],
      """
      0:00   x 10 ±10
      10:10  x 50 ±65   -> alarm dwell @10:00
      """)
  }

  @Test func `a doubt that no better fix settled does not ask again for an hour`() {
    for trigger in [Trigger.leave(), .dwell(.minutes(5)), .enter(passingCounts: true)] {
      var story = AlarmStory(zones: [AlarmStory.circle(radius: 60) { $0.trigger = trigger }])
      func asks(_ minutes: Double, _ line: String) -> Bool {
        _ = story.told("\(Int(minutes)):\(Int(minutes * 60) % 60) \(line)")
        return story.timeline.surroundings(at: AlarmStory.start + .seconds(minutes * 60)).wantsFix
      }
      #expect(asks(0, "x 110 ±80"))
      #expect(!asks(0.75, "wait"))
      #expect(!asks(59, "x 111 ±80"))
      #expect(asks(61, "x 110 ±80"))
      #expect(!asks(61.75, "wait"))
      // In the middle of the zone, being inside is no longer unlikely: it asks again.
      #expect(asks(62, "x 0 ±80"))
    }
  }

  @Test func `a safety zone's dwell ends by time alone`() {
    let zone = AlarmStory.circle {
      $0.trigger = .dwell(.seconds(60))
      $0.assurance = .safety
    }
    expectStory(
      [zone],
      """
      0:00  x 50
      1:30  wait    -> alarm dwell @1:00
      """)
  }

  @Test func `W23: leaving rings, coming back clears`() {
    expectStory(
      [AlarmStory.circle { $0.trigger = .leave() }],
      """
      0:00  x 300
      0:10  x 0
      0:20  x 200   -> alarm left @0:15
      0:30  x 300
      0:50  x 50    -> cleared left @0:46
      1:00  x 200   -> alarm left @0:53.3
      """)
  }

  @Test func `a coarse fix that stays alone begins a stay or a presence, and rings nothing by itself`() {
    expectStory(
      [AlarmStory.circle(radius: 200) { $0.trigger = .leave() }],
      """
      0:00  x 900 ±10
      1:00  x 0 ±90
      1:40  wait
      2:00  x 500 ±10  -> alarm left @1:24
      """)
    expectStory(
      [AlarmStory.circle(radius: 200) { $0.trigger = .dwell(.seconds(60)) }],
      """
      0:00  x 900 ±10
      1:00  x 0 ±90
      1:40  wait
      2:00  x 10 ±10   -> alarm dwell @1:46.7
      """)
  }

  @Test func `a fix beside the edge is not leaving`() {
    expectStory(
      [AlarmStory.circle { $0.trigger = .leave() }],
      """
      0:00  x 0 ±10
      0:10  x 110 ±10
      0:20  x 90 ±10
      0:30  x 125 ±10  -> alarm left @0:22.9
      """)
  }
}
