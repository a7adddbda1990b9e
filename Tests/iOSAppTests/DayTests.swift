import AlarmEngine
import AppleFakes
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
    // One system alarm for each ring, and no other but the warning of silence.
    let alarms = rig.fake.systemAlarms.rung.compactMap { SystemRinging.alarm($0.id) }
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
    #expect(rig.fake.notificationCentre.planned.map(\.id) == ["silence"])
    let asked = try rig.asked()
    #expect(asked.notes.launches == 1 && asked.notes.everLaid.count > 1, "seed \(seed)")
    #expect(Set(asked.notes.fences.keys) == asked.watched, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(2)) func `rings at every zone after permission was taken for a while, and told`(
    seed: Int
  ) throws {
    let day = Town.day()
    let rig = try AppRig(day, seed: UInt64(seed))
    rig.setUp(Town.dayZones)
    rig.phone.at(day.start + .minutes(20)) { $0.setAuthorization(.denied) }
    rig.phone.run(until: day.start + .minutes(80))
    #expect(rig.told("trouble.locationRefused").count == 1, "seed \(seed)")
    rig.phone.perform { $0.setAuthorization(.authorizedAlways) }
    rig.phone.openApplication()
    rig.run(for: .seconds(10))
    rig.phone.leaveApplication()
    rig.phone.run(until: day.end)
    expectAll(rig, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(2)) func `rings at every zone after the phone was switched off and on`(seed: Int)
    throws
  {
    let day = Town.day()
    let rig = try AppRig(day, seed: UInt64(seed))
    rig.setUp(Town.dayZones)
    rig.phone.at(day.start + .minutes(30)) { $0.reboot() }
    rig.phone.run(until: day.end)
    expectAll(rig, "seed \(seed)")
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

  /// iOS starts an app again for the next event, not for the one during which it ended: its fences may then
  /// be behind the phone, and nothing wakes it. Even so nothing is doubled, and the phone itself says that
  /// nobody watches.
  @Test(arguments: Seeds.few(4))
  func `rings once or is said to sleep when its process ends in the midst of its work`(
    seed: Int
  ) throws {
    let day = Town.day()
    let rig = try AppRig(day, seed: UInt64(seed))
    rig.setUp(Town.dayZones)
    var random = SeededGenerator(seed: UInt64(seed))
    var ends = 0
    var next = rig.phone.now
    rig.fake.onWritten = { [unowned rig] in
      guard rig.phone.now >= next else { return }
      next = rig.phone.now + .seconds(Double.random(in: 60...900, using: &random))
      ends += 1
      rig.end()
    }
    rig.phone.run(until: day.end)
    #expect(ends > 5, "seed \(seed)")
    #expect(Set(rig.rings.map(\.id)).count == Set(rig.rings.map(\.title)).count, "seed \(seed)")
    #expect(rig.rings.count { !$0.replaces } == Set(rig.rings.map(\.id)).count, "seed \(seed)")
    #expect(Set(rig.rings.map(\.title)).count == 4 || !rig.told("silence").isEmpty, "seed \(seed)")
    rig.fake.onWritten = {}
    rig.phone.openApplication()
    rig.run(for: .seconds(10))
    let asked = try rig.asked()
    #expect(asked.notes.launches > 3, "seed \(seed)")
    #expect(asked.watched.isSubset(of: asked.notes.everLaid), "seed \(seed)")
  }

  /// Between a write and its consequence: the ring is written and not yet shown, or shown and not yet noted
  /// as shown.
  @Test(arguments: 0..<6) func `a ring is shown once, at whichever write about it the process ends`(
    write: Int
  ) throws {
    let journey = Journey(
      from: Town.home, at: Town.morning,
      legs: [
        .stand(.minutes(5)), .go(to: Town.place(600), .metresPerSecond(1.4), .walking), .stand(.minutes(10)),
      ])
    let rig = try AppRig(journey, parameters: .ideal)
    rig.answer = nil
    rig.setUp([Town.zone(7, "There", 600)])
    let entry = Town.morning + .seconds(300 + 500 / 1.4)
    var writes = 0
    rig.fake.onWritten = { [unowned rig] in
      guard rig.phone.now > entry - .seconds(2) else { return }
      if writes == write { rig.end() }
      writes += 1
    }
    rig.phone.run(until: entry + .seconds(20))
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(writes > write)
    #expect(Set(rig.rings.map(\.id)).count == 1)
    #expect(rig.rings.count { !$0.replaces } == 1)
    #expect(rig.fake.systemAlarms.rung.count == 1)
    #expect(rig.fake.systemAlarms.sounding.count == 1)
  }
}
