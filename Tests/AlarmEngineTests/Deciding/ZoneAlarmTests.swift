import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Runs the story and checks the expected answers in it.
func expectStory(
  _ zones: [Zone], settings: Settings = AlarmStory.quietSettings, armed: Bool = true, _ story: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var teller = AlarmStory(zones: zones, settings: settings, armed: armed)
  let told = teller.told(story)
  #expect(told == AlarmStory.plain(story), sourceLocation: sourceLocation)
}

@Suite("Alarm: entering")
struct EnteringTests {
  @Test func `S5: rings inside, with the true time of the crossing, and clears after two fixes well outside`()
  {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 300
      0:10  x 200
      0:20  x 80    -> alarm inside @0:18.3
      0:30  x 50
      0:40  x 110
      0:50  x 130
      1:00  x 150   -> cleared left @0:38.3
      """)
  }

  @Test func `S8: rings within the alert distance, and says near`() {
    let zone = AlarmStory.circle { $0.alertDistance = .metres(50) }
    expectStory(
      [zone],
      """
      0:00  x 300
      0:10  x 140   -> alarm near @0:09.4
      0:20  x 90
      """)
  }

  @Test func `S81: an inset moves the edge, outwards too`() {
    let zone = AlarmStory.circle { $0.inset = .metres(-30) }
    expectStory(
      [zone],
      """
      0:00  x 300
      0:10  x 131
      0:20  x 129   -> alarm inside @0:15
      """)
  }

  @Test func `S36: repeats at the cycle time, S35: also when closed, until it is left`() {
    expectStory(
      [AlarmStory.circle()], settings: Settings(),
      """
      0:00  x 0     -> alarm inside
      0:25  x 0     -> repeat @0:10, repeat @0:20
      0:26  close
      0:45  x 0     -> repeat @0:30, repeat @0:40
      0:46  x 400
      0:47  x 430   -> cleared left @0:45.3
      2:00  wait
      """)
  }

  @Test func `S37, S38: sleep is quiet for the sleep time, then the next fix inside rings anew`() {
    let zone = AlarmStory.circle { $0.sleepTime = .seconds(60) }
    expectStory(
      [zone], settings: Settings(),
      """
      0:00  x 0     -> alarm inside
      0:05  sleep
      0:30  x 10
      1:10  wait
      1:20  x 20    -> alarm inside
      1:31  wait    -> repeat @1:30
      """)
  }

  @Test func `S37: sleep may be longer than the sleep time, never shorter`() {
    let zone = AlarmStory.circle { $0.sleepTime = .seconds(60) }
    expectStory(
      [zone], settings: Settings(),
      """
      0:00  x 0        -> alarm inside
      0:05  sleep 2:00
      1:50  x 10
      2:10  x 20       -> alarm inside
      2:15  sleep 2:20
      3:00  x 10
      3:20  x 20       -> alarm inside
      """)
  }

  @Test func `after sleep a safety zone rings anew even a step beyond its edge`() {
    let zone = AlarmStory.circle {
      $0.assurance = .safety
      $0.sleepTime = .seconds(30)
    }
    expectStory(
      [zone],
      """
      0:00  x 90 ±10   -> alarm inside
      0:05  sleep
      0:20  x 110 ±10
      0:40  x 110 ±10  -> alarm inside
      """)
  }

  @Test func `acknowledged inside it keeps quiet until left, and rings when entered again`() {
    expectStory(
      [AlarmStory.circle()], settings: Settings(),
      """
      0:00  x 0     -> alarm inside
      0:05  acknowledge
      0:50  x 10
      1:00  x 200
      1:10  x 250   -> cleared left @0:54.7
      1:20  x 90    -> alarm inside @1:19.4
      """)
  }

  @Test func `acknowledged for today it keeps quiet, even when entered again, until midnight`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 0     -> alarm inside
      0:05  today 1:00:00
      0:10  x 300
      0:20  x 350   -> cleared left @0:03.3
      0:40  x 0
      59:00 x 10
      1:00:10  x 0  -> alarm inside
      """)
  }

  @Test func `S12, S18, S20: nothing rings while disarmed; arming and disarming act at once`() {
    expectStory(
      [AlarmStory.circle()], armed: false,
      """
      0:00  x 0
      0:10  activate    -> alarm inside
      0:20  deactivate  -> cleared deactivated
      0:30  x 0
      0:40  activate    -> alarm inside
      """)
  }

  @Test func `S98: what rings together is told by urgency, and its messages become one proposal`() {
    let message = Message(yourMoniker: "Ann", toMoniker: "Bob", contactNumber: "+1", supplement: "")
    let zones = [
      AlarmStory.circle("low", id: 1) { $0.messages = [message] },
      AlarmStory.circle("high", id: 2) {
        $0.priority = 5
        $0.messages = [message, message]
      },
    ]
    expectStory(
      zones,
      """
      0:00  x 300
      0:10  x 0   -> alarm inside high @0:06.7, alarm inside low @0:06.7, proposal of 3
      """)
  }

  @Test func `S191: a notice is shown on entry, at most once in its cap`() {
    let zone = AlarmStory.circle { $0.notice = Notice(title: "Sale", text: "Now", cap: .minutes(5)) }
    expectStory(
      [zone],
      """
      0:00  x 0    -> alarm inside, notice
      0:10  x 300
      0:20  x 350  -> cleared left @0:03.3
      1:00  x 0    -> alarm inside @0:48.6
      1:10  x 300
      1:20  x 350  -> cleared left @1:03.3
      6:00  x 0    -> alarm inside @4:40, notice @4:40
      """)
  }
}

@Suite("Alarm: how sure it must be")
struct AssuranceTests {
  @Test func `normal believes a fine position, not its disc`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 300 ±10
      0:20  x 105 ±10
      0:40  x 95 ±10   -> alarm inside @0:30
      """)
  }

  @Test func `normal asks for a better fix, and rings without after 5 s where that is likely`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 90 ±80
      1:04  wait
      1:05  wait     -> alarm possible @0:59.3
      """)
  }

  @Test func `normal says without sound that it may be inside, once, and still rings when that is likely`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 130 ±80
      1:20  wait
      1:40  wait         -> perhaps @1:00
      2:00  x 130 ±80
      3:00  x 128 ±80
      4:00  x 90 ±80
      4:05  wait         -> alarm possible @3:44.2
      """)
  }

  @Test func `what may be inside is told anew once a fix has excluded it`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 130 ±80
      1:40  wait         -> perhaps @1:00
      2:00  x 220 ±80
      3:00  x 130 ±80
      3:40  wait         -> perhaps @3:00
      """)
  }

  @Test func `an alarm on a guess ends with one fix that refutes it, and the entry after it rings`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 90 ±80
      1:20  wait         -> alarm possible @0:59.3
      2:00  x 220 ±80    -> cleared left @1:04.6
      3:00  x 95 ±5      -> alarm inside @2:57.6
      """)
  }

  @Test func `a fix by satellites and one by the network together are surer than each alone`() {
    // Each alone stays below a third and says nothing; the two lie on either side of the middle.
    expectStory(
      [AlarmStory.circle(radius: 40)],
      """
      0:00  x 900 ±10
      1:00  x -45 ±45
      1:05  x 45 ±65     -> alarm possible @0:54.6
      """)
  }

  @Test func `on a sparse track one fix outside ends a visit, and the next one rings`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00   x 0 ±10     -> alarm inside
      5:00   x 900 ±10
      10:00  x 0 ±10     -> cleared left @0:33.3, alarm inside
      """)
  }

  @Test func `normal rings when it was likely inside and is gone before a better fix`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 85 ±65
      1:04  x 400 ±65  -> alarm possible @0:58.9
      """)
  }

  @Test func `normal drops what was rather beside it and is gone`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 110 ±65
      1:20  x 400 ±65
      """)
  }

  @Test func `normal drops what stays unlikely`() {
    expectStory(
      [AlarmStory.circle(radius: 20)],
      """
      0:00  x 900 ±10
      1:00  x 200 ±150
      2:00  wait
      """)
  }

  @Test func `safety rings as soon as being inside cannot be excluded`() {
    expectStory(
      [AlarmStory.circle { $0.assurance = .safety }],
      """
      0:00  x 300 ±10
      0:20  x 115 ±10  -> alarm possible
      """)
  }

  @Test func `safety rings for a coarse fix of a phone that moves, from a probability of 5 % on`() {
    expectStory(
      [AlarmStory.circle { $0.assurance = .safety }],
      """
      0:00  x 1500 ±100
      1:00  x 190 ±100
      1:40  wait         -> perhaps @1:00
      2:00  x 170 ±100   -> alarm possible
      """)
  }

  @Test func `at rest a safety zone that is merely not excluded is said quietly, and the entry rings`() {
    expectStory(
      [AlarmStory.circle { $0.assurance = .safety }],
      """
      0:00   x 135 ±65
      0:40   wait              -> perhaps @0:00
      1:00   x 115 ±12
      20:00  x 130 ±65
      40:00  x 135 v 1.3 ±10
      40:20  x 110 v 1.3 ±10   -> alarm possible
      41:40  x 85 v 1.3 ±10
      """)
  }

  @Test func `what may be inside rings anew once it is, also after an answer, and once`() {
    for answer in ["acknowledge", "sleep 3:00:00", "close"] {
      expectStory(
        [AlarmStory.circle { $0.assurance = .safety }],
        """
        0:00  x 300 v 1.3 ±10
        0:20  x 115 v 1.3 ±10   -> alarm possible
        0:25  \(answer)
        12:00  x 90 v 1.3 ±10    -> alarm inside
        12:20  x 60 v 1.3 ±10
        """)
    }
    expectStory(
      [AlarmStory.circle { $0.assurance = .safety }],
      """
      0:00  x 300 v 1.3 ±10
      0:20  x 115 v 1.3 ±10   -> alarm possible
      0:25  today 12:00:00
      12:00  x 90 v 1.3 ±10
      """)
    expectStory(
      [AlarmStory.circle()],
      """
      0:00  x 900 ±10
      1:00  x 90 ±80
      1:20  wait        -> alarm possible @0:59.3
      1:30  x 80 ±10
      2:30  x 60 ±10
      """)
  }

  @Test func `a safety zone's alarm on a guess ends when the phone rests beside the zone`() {
    expectStory(
      [AlarmStory.circle { $0.assurance = .safety }],
      """
      0:00  x 300 v 1.3 ±10
      0:20  x 115 v 1.3 ±10   -> alarm possible
      1:00  x 118 ±10
      3:00  x 118 ±12         -> cleared left
      9:00  x 121 ±65
      """)
  }

  @Test func `a position by the mobile network rings for a safety zone only when surely inside`() {
    expectStory(
      [AlarmStory.circle(radius: 1000) { $0.assurance = .safety }],
      """
      0:00  x 9000 v 20 ±10
      5:00  x 1300 v 20 ±500
      5:40  wait            -> perhaps @5:00
      6:00  x 300 v 20 ±500   -> alarm inside @5:18
      """)
    expectStory(
      [AlarmStory.circle(radius: 1000) { $0.assurance = .safety }],
      """
      0:00  x -2500 v 20 ±10
      2:00  x 2800 v 20 ±500
      """)
  }

  @Test func `relaxed wants certainty or two fixes that agree`() {
    expectStory(
      [AlarmStory.circle { $0.assurance = .relaxed }],
      """
      0:00  x 300 ±30
      0:20  x 90 ±30
      0:40  x 300 ±30
      1:00  x 90 ±30
      1:20  x 85 ±30   -> alarm inside @0:59
      """)
    expectStory(
      [AlarmStory.circle { $0.assurance = .relaxed }],
      """
      0:00  x 300 ±30
      0:20  x 60 ±30   -> alarm inside @0:16.7
      """)
  }

  @Test func `a position that jumps about beyond the edge gives no exit`() {
    expectStory(
      [AlarmStory.circle(radius: 150)],
      """
      0:00  x 8 ±2     -> alarm inside
      0:10  x 200 ±2
      0:20  x 10 ±2
      0:30  x 198 ±2
      0:40  x 10 ±2
      """)
  }
}
