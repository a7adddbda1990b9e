import AlarmEngine
import AppleFakes
import Foundation
import Geometry
import PhoneSimulator
import Testing

@testable import ProximityApp

@MainActor
@Suite("A warning that the iOS app sleeps stands ahead", .serialized)
struct SilenceTests {
  private func warnings(_ rig: AppRig) -> [Date] {
    rig.fake.systemAlarms.planned.filter { SystemRinging.warnings.contains($0.id) }.map(\.at)
  }

  @Test func `by notification and system alarm, one of each, moved by each sign of life`() throws {
    let day = Town.day()
    let rig = try AppRig(day)
    rig.setUp(Town.dayZones)
    rig.run(for: .minutes(1))
    let first = try #require(rig.fake.notificationCentre.planned.first { $0.id == "silence" })
    #expect(warnings(rig).count == 1)
    rig.run(for: .hours(3))
    let moved = rig.fake.notificationCentre.planned.filter { $0.id == "silence" }
    #expect(moved.count == 1)
    #expect(moved[0].fires > first.fires)
    #expect(warnings(rig).count == 1)
    #expect(rig.told("silence") == [])
  }

  @Test func `and comes when the person ended the app and iOS starts it no more`() throws {
    let day = Town.day()
    let rig = try AppRig(day)
    rig.setUp(Town.dayZones)
    rig.run(for: .minutes(1))
    rig.phone.forceQuit()
    rig.phone.run(until: day.end)
    #expect(!rig.phone.isApplicationAlive)
    #expect(rig.told("silence").count == 1)
    #expect(rig.fake.systemAlarms.rung.contains { SystemRinging.warnings.contains($0.id) })
    rig.phone.openApplication()
    rig.run(for: .seconds(30))
    #expect(warnings(rig).count == 1)
    #expect(rig.fake.systemAlarms.sounding == [], "opening the app ends it")
  }

  @Test func `also in a notification centre that is full`() throws {
    let day = Town.day()
    let rig = try AppRig(day)
    rig.phone.openApplication()
    rig.phone.perform { _ in
      MainActor.assumeIsolated {
        rig.app.conditions.ask(.notifications)
        rig.app.conditions.ask(.alarms)
      }
    }
    rig.run(for: .seconds(2))
    rig.phone.perform { _ in
      for number in 0..<64 {
        let content = UNMutableNotificationContent()
        content.title = "reminder"
        UNUserNotificationCenter.current().add(
          UNNotificationRequest(
            identifier: "reminder.\(number)", content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60 + Double(number), repeats: false)))
      }
    }
    #expect(rig.fake.notificationCentre.planned.count == 64)
    rig.setUp(Town.dayZones)
    #expect(rig.fake.notificationCentre.planned.contains { $0.id == "silence" })
    #expect(rig.fake.notificationCentre.planned.count == 64)
    rig.phone.run(until: day.end)
    #expect(rig.rings.count == 4, "what rings is not planned, and always shown")
  }
}
