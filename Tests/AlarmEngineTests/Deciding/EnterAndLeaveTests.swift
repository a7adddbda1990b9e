import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Zones that ring on entering, and again on leaving.
@Suite("Alarm: entering and leaving")
struct EnterAndLeaveTests {
  private static func zone(
    after time: TimeSpan = .zero, passingCounts: Bool = true, _ change: (inout ZoneDraft) -> Void = { _ in }
  ) -> Zone {
    AlarmStory.circle {
      $0.trigger = .enterAndLeave(passingCounts: passingCounts, after: time)
      change(&$0)
    }
  }

  @Test func `it rings on each entry and on each leaving`() {
    expectStory(
      [Self.zone()],
      """
      0:00  x -500
      0:30  x 0    -> alarm inside @0:24
      0:40  x 10
      1:00  x 300  -> cleared left @0:46.2, alarm left @0:46.2
      1:30  x 0    -> cleared left @1:20, alarm inside @1:20
      2:00  x 500  -> cleared left @1:36, alarm left @1:36
      3:00  x 900
      """)
  }

  @Test(arguments: [Assurance.safety, .normal, .relaxed])
  func `it rings when a zone for each would, if the phone is clearly on one side`(assurance: Assurance) {
    for seed in Seeds.few(40) {
      var random = SeededGenerator(seed: UInt64(seed))
      let delay = random.next() % 2 == 0 ? TimeSpan.zero : .seconds(random.double(in: 10...200))
      let zones = [
        AlarmStory.circle("enter", id: 1) { $0.assurance = assurance },
        AlarmStory.circle("leave", id: 2) {
          $0.trigger = .leave(after: delay)
          $0.assurance = assurance
        },
        AlarmStory.circle("both", id: 3) {
          $0.trigger = .enterAndLeave(after: delay)
          $0.assurance = assurance
        },
      ]
      var timeline = Timeline(
        device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones, armed: true)
      var now = AlarmStory.start
      for _ in 0..<20 {
        // Several positions far outside, then several inside, each for longer than any delay.
        for place in [600.0...900, 0...40] {
          for _ in 0..<5 {
            let fix = Fix(
              position: AlarmStory.place(east: random.double(in: place)), accuracy: .radius(.metres(5)),
              measuredAt: now)
            timeline.insert([.fix(fix)])
            now = now + .seconds(random.double(in: 50...60))
          }
        }
      }
      timeline.advance(to: now)
      let rung = { (zone: UInt64, isLeft: Bool) in
        timeline.events.compactMap { event -> Instant? in
          guard case .alarm(let report) = event.kind, report.zone.rawValue == zone else { return nil }
          return (report.cause == .left) == isLeft ? event.time : nil
        }
      }
      #expect(rung(1, false).count == 20 && rung(2, true).count == 19, "seed \(seed)")
      #expect(rung(3, false) == rung(1, false), "seed \(seed)")
      #expect(rung(3, true) == rung(2, true), "seed \(seed)")
    }
  }

  @Test func `an answer to the entry does not silence the leaving`() {
    for answer in ["close", "sleep", "acknowledge"] {
      expectStory(
        [Self.zone { $0.sleepTime = .hours(1) }],
        """
        0:00  x -500
        0:30  x 0    -> alarm inside @0:24
        0:35  \(answer)
        0:40  x 0
        1:00  x 500  -> cleared left @0:44, alarm left @0:44
        """)
    }
  }

  @Test func `silenced for today, it is silent both ways until then`() {
    expectStory(
      [Self.zone()],
      """
      0:00     x -500
      0:30     x 0    -> alarm inside @0:24
      0:35     today 1:00:00
      1:00     x 500  -> cleared left @0:36
      2:00     x 0
      3:00     x 500
      1:00:10  x 0    -> alarm inside @48:44
      1:00:30  x 500  -> cleared left @1:00:14, alarm left @1:00:14
      """)
  }

  @Test func `back within the time outside, it stays silent, and the next leaving counts`() {
    expectStory(
      [Self.zone(after: .minutes(5))],
      """
      0:00   x -500
      0:30   x 0    -> alarm inside @0:24
      1:00   x 500  -> cleared left @0:36
      4:00   x 0
      10:00  x 0
      11:00  x 500
      15:59  wait
      16:01  wait   -> alarm left @16:00
      16:50  x 500
      17:00  x 0    -> cleared left @16:58, alarm inside @16:58
      """)
  }

  @Test func `passing between two positions rings once`() {
    expectStory(
      [Self.zone()],
      """
      0:00  x -500
      0:30  x 500  -> alarm passed @0:12
      0:40  x 600  -> cleared passedThrough @0:18
      1:00  x 900
      """)
    expectStory(
      [Self.zone(passingCounts: false)],
      """
      0:00  x -500
      0:30  x 500
      1:00  x 900
      """)
  }

  @Test func `back after passing through, it rings on leaving`() {
    expectStory(
      [Self.zone()],
      """
      0:00  x -300
      0:20  x 150  -> alarm passed @0:08.9
      0:22  x 50
      0:40  x 500  -> cleared left @0:24, alarm left @0:24
      """)
  }

  @Test func `surely outside after leaving, it rings by the rules of an entry`() {
    // A safety zone rings as soon as being inside cannot be excluded.
    expectStory(
      [Self.zone { $0.assurance = .safety }],
      """
      0:00  x 0 ±5      -> alarm inside
      0:20  x 300 ±5    -> cleared left @0:06.7, alarm left @0:06.7
      0:40  x 600 ±5
      1:00  x 300 ±5
      1:13  x 105 ±5    -> cleared left, alarm possible
      1:20  x 0 ±5
      """)
    expectStory(
      [Self.zone()],
      """
      0:00  x 0      -> alarm inside
      0:20  x 300    -> cleared left @0:06.7, alarm left @0:06.7
      0:40  x 600
      1:20  x -600   -> cleared left @0:56.7, alarm passed @0:56.7
      1:30  x -700   -> cleared passedThrough @1:03.3
      """)
  }

  @Test func `at the edge, the errors of the positions do not ring again and again`() {
    expectStory(
      [Self.zone { $0.assurance = .safety }],
      """
      0:00  x 0 ±8    -> alarm inside
      0:30  x 102 ±8  -> cleared left @0:29.4, alarm left @0:29.4
      0:40  x 97 ±8
      0:50  x 103 ±8
      1:00  x 96 ±8
      1:10  x 101 ±8
      """)
  }

  @Test func `beside it, not surely inside, it does not ring on leaving`() {
    expectStory(
      [Self.zone { $0.assurance = .safety }],
      """
      0:00  x -500 ±5
      0:20  x -150 ±40
      0:30  x -120 ±40  -> alarm possible @0:20
      0:50  x -500 ±5   -> cleared left
      1:20  x -900 ±5
      """)
  }

  @Test func `told that the phone is likely inside, a person is told that it has left`() {
    expectStory(
      [Self.zone { $0.size = .metres(60) }],
      """
      0:00   x -2000
      1:00   x 40 ±70
      1:10   wait        -> alarm possible @0:57.1
      10:00  x 900 ±5    -> cleared left @1:12.6, alarm left @1:12.6
      """)
  }

  @Test func `started inside, it rings at once, and on leaving`() {
    expectStory(
      [Self.zone()],
      """
      0:00  x 0    -> alarm inside
      0:30  x 500  -> cleared left @0:06, alarm left @0:06
      """)
  }

  @Test func `a lead time does not count`() {
    expectStory(
      [Self.zone { $0.leadTime = .minutes(5) }],
      """
      0:00  x -900
      0:20  x -700
      0:40  x -500
      1:30  x 0    -> alarm inside @1:20
      """)
  }
}

/// Edits of a zone's trigger while its alarm rings or waits.
@Suite("Alarm: edits of the trigger")
struct TriggerEditTests {
  private static let stay = TimeSpan.seconds(100)

  private static func zone(_ kind: Trigger.Kind, _ assurance: Assurance) -> Zone {
    AlarmStory.circle {
      $0.trigger = kind.trigger(after: kind == .dwell ? stay : .zero)
      $0.assurance = assurance
    }
  }

  @Test(arguments: Trigger.Kind.allCases, Trigger.Kind.allCases)
  func `the next event that counts rings`(former: Trigger.Kind, edited: Trigger.Kind) {
    for assurance in Assurance.allCases {
      for isInside in [true, false] {
        var timeline = Timeline(
          device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings,
          zones: [Self.zone(former, assurance)], armed: true)
        var now = AlarmStory.start
        func stand(east: Double) -> [Cause] {
          var causes: [Cause] = []
          for _ in 0..<5 {
            let fix = Fix(
              position: AlarmStory.place(east: east), accuracy: .radius(.metres(5)), measuredAt: now)
            causes += rung(timeline.insert([.fix(fix)]).added)
            now = now + .seconds(40)
            causes += rung(timeline.advance(to: now).added)
          }
          return causes
        }
        func rung(_ events: [Event]) -> [Cause] {
          events.compactMap { if case .alarm(let report) = $0.kind { report.cause } else { nil } }
        }
        for place in isInside ? [800.0, 0] : [800, 0, 800] { _ = stand(east: place) }
        let next = WatchedZones([Self.zone(edited, assurance)])
        timeline.insert([.command(.replaceZones(next), at: now)])
        _ = stand(east: isInside ? 0 : 800)
        let said: Comment = "\(assurance), \(isInside ? "inside" : "outside") at the edit"
        for place in isInside ? [800.0, 0, 800, 0] : [0, 800, 0, 800] {
          let causes = stand(east: place)
          let trigger = Self.zone(edited, assurance).trigger
          let isOwed =
            place == 0 ? !(trigger.ringsOnLeaving && !trigger.ringsOnEntry) : trigger.ringsOnLeaving
          #expect(causes.count == (isOwed ? 1 : 0), said)
          #expect(!isOwed || (causes.first == .left) == (place > 0), said)
        }
      }
    }
  }
}
