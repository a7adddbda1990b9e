import AlarmEngine
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Zone times")
struct ZoneTimesTests {
  private func times(_ count: Int) -> ZoneTimes {
    ZoneTimes(
      first: .first,
      edits: (0..<count).map {
        ZoneSetChange(
          revision: Revision(rawValue: Int64($0) + 2), at: TestServer.start + .minutes(Double($0)))
      })
  }

  @Test func `of too many edits those that matter stay`() {
    #expect(times(5).thinned(to: 32, keeping: []) == times(5))
    let needed = TestServer.start + .minutes(20.5)
    let thinned = times(1000).thinned(to: 8, keeping: [needed])
    #expect(thinned.edits.count == 7)
    let minutes = thinned.edits.map { Int(($0.at - TestServer.start).seconds / 60) }
    // The edit in force, the one after it, and the last ones.
    #expect(minutes == [20, 21, 995, 996, 997, 998, 999])
    #expect(
      times(1000).thinned(to: 8, keeping: (0..<50).map { needed + .hours(Double($0) / 9) }).edits.count == 7)
  }
}
