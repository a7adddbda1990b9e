import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Positions that do and that do not show that a phone has left, or is back.
@Suite("Alarm: leaving, by positions that leave it open")
struct LeavingTests {
  private static func zone(_ assurance: Assurance, radius: Double = 100) -> Zone {
    AlarmStory.circle(radius: radius) {
      $0.trigger = .leave()
      $0.assurance = assurance
    }
  }

  @Test(arguments: Assurance.allCases)
  func `on the way to a zone, positions just beside it are no leaving`(assurance: Assurance) {
    expectStory(
      [Self.zone(assurance)],
      """
      0:00  x 300 ±5
      0:20  x 200 ±5
      0:40  x 112 ±5
      0:44  x 106 ±5
      0:48  x 103 ±5
      0:52  x 95 ±5
      1:10  x 60 ±5
      2:00  x 10 ±5
      """)
  }

  @Test(arguments: Assurance.allCases)
  func `a position of the mobile network is neither a leaving nor a return`(assurance: Assurance) {
    expectStory(
      [Self.zone(assurance)],
      """
      0:00   x 0 ±10
      1:00   x 5 ±10
      10:00  x 400 ±1000
      20:00  x 50 ±1000
      40:00  x 5 ±10
      """)
    // A relaxed zone takes two positions outside for certain.
    let (first, second) = assurance == .relaxed ? ("", "-> alarm left @0:20") : ("-> alarm left @0:20", "")
    expectStory(
      [Self.zone(assurance)],
      """
      0:00   x 0 ±10
      1:00   x 300 ±10 \(first)
      1:10   x 400 ±10 \(second)
      10:00  x 50 ±1000
      20:00  x 600 ±10
      20:10  x 600 ±10
      """)
  }

  @Test func `a coarse position of a phone at rest in a safety zone needs 70 % to be a leaving`() {
    expectStory(
      [Self.zone(.safety)],
      """
      0:00   x 0 ±10
      5:00   x 5 ±10
      10:00  x 105 ±60
      15:00  x 5 ±10
      20:00  x 160 ±60  -> alarm left @18:03.9
      """)
  }

  @Test(arguments: Assurance.allCases)
  func `back in a zone as small as the errors, the next leaving rings`(assurance: Assurance) {
    let (first, second) = assurance == .relaxed ? ("", "-> alarm left @0:15") : ("-> alarm left @0:15", "")
    let (third, fourth) =
      assurance == .relaxed ? ("", "-> alarm left @12:40.2") : ("-> alarm left @12:40.2", "")
    expectStory(
      [Self.zone(assurance, radius: 25)],
      """
      0:00   x 0 ±10
      1:00   x 100 ±10  \(first)
      1:10   x 200 ±10  \(second)
      1:20   acknowledge
      10:00  x 8 ±10    -> cleared left @9:13.1
      11:00  x 5 ±12
      12:00  x 9 ±9
      20:00  x 200 ±10  \(third)
      20:10  x 300 ±10  \(fourth)
      """)
  }

  @Test func `at the edge of a safety zone, the errors of the positions do not ring again and again`() {
    expectStory(
      [Self.zone(.safety)],
      """
      0:00  x 0 ±8
      0:30  x 102 ±8  -> alarm left @0:29.4
      0:40  x 97 ±8
      0:50  x 103 ±8
      1:00  x 96 ±8
      1:10  x 101 ±8
      """)
  }
}
