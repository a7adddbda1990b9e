import AlarmEngine
import AppleTwins
import Foundation
import Geometry
import PhoneSimulator
import TestSupport
import Testing

@testable import ProximityApp

@MainActor
@Suite("A day with the iOS app", .serialized)
struct DayTests {
  private func expectAll(_ rig: AppRig, _ comment: Comment) {
    #expect(rig.rings.map(\.title).sorted() == ["Bakery", "Hazard", "Library", "Stop"], comment)
    #expect(Set(rig.rings.map(\.id)).count == rig.rings.count, comment)
    #expect(rig.rings.allSatisfy { $0.isLoud && $0.isTimeSensitive }, comment)
    // A system alarm for each ring, and for nothing else but the warning of silence.
    let alarms = rig.twin.systemAlarms.rung.compactMap { SystemRinging.alarm($0.id) }
    #expect(Set(alarms).count == alarms.count, comment)
    #expect(alarms.count == rig.rings.count, comment)
  }

  @Test(arguments: Seeds.few(4)) func `rings at every zone with suspensions`(seed: Int) throws {
    let day = Town.day()
    let rig = try AppRig(day, seed: UInt64(seed))
    rig.setUp(Town.dayZones)
    rig.phone.run(until: day.end)
    expectAll(rig, "seed \(seed)")
    let log = rig.phone.log.text
    #expect(log.contains(" suspended"))
    #expect(rig.twin.notificationCentre.planned.map(\.id) == ["silence"])
  }

  @Test(arguments: Seeds.few(4))
  func `rings at every zone, none lost and none doubled, when its process ends 50 times`(
    seed: Int
  ) throws {
    let day = Town.day()
    let rig = try AppRig(day, seed: UInt64(seed))
    rig.setUp(Town.dayZones)
    var random = SeededGenerator(seed: UInt64(seed))
    let span = (day.end - rig.phone.now).milliseconds
    for _ in 0..<50 {
      let time = rig.phone.now + .milliseconds(Int64.random(in: 0..<span, using: &random))
      rig.phone.at(time) { $0.crash() }
    }
    rig.phone.run(until: day.end)
    expectAll(rig, "seed \(seed)")
  }
}
