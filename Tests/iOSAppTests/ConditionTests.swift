import AlarmEngine
import AppleFakes
import Foundation
import Geometry
import PhoneSimulator
import Testing

@testable import ProximityApp

@MainActor
@Suite("What keeps the iOS app from ringing is told at once", .serialized)
struct ConditionTests {
  private func watching(system: IOSVersion = IOSVersion(26, 1)) throws -> AppRig {
    let rig = try AppRig(Town.day(), system: system)
    rig.setUp(Town.dayZones)
    rig.run(for: .seconds(10))
    #expect(rig.told("trouble.").isEmpty)
    return rig
  }

  @Test func `a permission that is taken, and one that is given back`() throws {
    let rig = try watching()
    rig.phone.perform { $0.setAuthorization(.denied) }
    // The system may end or suspend an app that loses location; the app checks when it next runs.
    rig.phone.openApplication()
    rig.run(for: .seconds(1))
    #expect(rig.told("trouble.locationRefused").count == 1)
    #expect(rig.fake.notificationCentre.standing.contains("trouble.locationRefused"))
    rig.phone.perform { $0.setAuthorization(.authorizedAlways) }
    rig.run(for: .seconds(1))
    #expect(!rig.fake.notificationCentre.standing.contains("trouble.locationRefused"))
    #expect(rig.told("trouble.").count == 1)
  }

  @Test func `reduced accuracy, low power and Background App Refresh, each once, also over a relaunch`()
    throws
  {
    let rig = try watching()
    rig.phone.openApplication()
    rig.phone.perform { $0.setReducedAccuracy(true) }
    rig.run(for: .seconds(1))
    #expect(rig.told("trouble.").map(\.id) == ["trouble.approximateLocation"])
    rig.phone.change { $0.lowPower = true }
    rig.run(for: .seconds(1))
    rig.phone.change { $0.backgroundRefresh = false }
    rig.run(for: .seconds(1))
    let told = ["trouble.approximateLocation", "trouble.lowPower", "trouble.noBackgroundRefresh"]
    #expect(rig.told("trouble.").map(\.id) == told)
    rig.phone.crash()
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.told("trouble.").map(\.id) == told)
    rig.phone.change { $0.lowPower = false }
    rig.run(for: .seconds(1))
    #expect(!rig.fake.notificationCentre.standing.contains("trouble.lowPower"))
  }

  @Test func `a trouble is noted only after it was shown, so that no end of the process swallows it`() throws
  {
    let rig = try watching()
    rig.phone.openApplication()
    var wasNoted: Bool?
    rig.fake.notificationCentre.onShown = { [unowned rig] in
      if $0.id == "trouble.lowPower" { wasNoted = rig.app.files.noted(as: "told").contains("lowPower") }
    }
    rig.phone.change { $0.lowPower = true }
    rig.run(for: .seconds(1))
    #expect(wasNoted == false)
    #expect(rig.app.files.noted(as: "told").contains("lowPower"))
  }

  @Test func `notifications that are switched off, by the one way that is left`() throws {
    let rig = try watching()
    rig.phone.change { $0.notifications = .denied }
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.fake.systemAlarms.rung.map(\.id) == [SystemRinging.trouble])
    #expect(rig.permissions.contains("notificationsOff"))
  }

  @Test func `system alarms that are refused, and a Focus that may hide notifications`() throws {
    let rig = try watching()
    rig.phone.change {
      $0.alarms = .denied
      $0.timeSensitive = false
    }
    rig.phone.openApplication()
    rig.run(for: .seconds(5))
    #expect(rig.told("trouble.").map(\.id).sorted() == ["trouble.alarmsRefused", "trouble.notTimeSensitive"])
  }

  /// The order in which the page asks: armed, then location, notifications, alarms, each after the answer to
  /// the one before.
  @Test func `a first run is quiet while the page asks, and asks for all`() throws {
    for system in [IOSVersion(26, 1), 18] as [IOSVersion] {
      let rig = try AppRig(Town.day(), system: system, parameters: .ideal, authorization: .notDetermined)
      rig.phone.openApplication()
      rig.run(for: .seconds(2))
      rig.on {
        $0.engine?.setZones(Town.dayZones, .phone)
        $0.engine?.perform(.activate)
      }
      rig.run(for: .seconds(30))
      let asked = ["location", "notifications", "background"] + (system == 18 ? [] : ["alarms"])
      for name in asked { #expect(rig.permissions.contains("\"\(name)\":false"), "\(name)") }
      for what in [PermissionAsk.location, .notifications, .alarms] {
        rig.on { $0.conditions.ask(what) }
        rig.run(for: .seconds(30))
        guard what != .alarms, system != 18 else { continue }
        #expect(rig.fake.settings.alarms == .undecided(answer: true), "nobody asks before the page")
      }
      #expect(rig.fake.systemAlarms.rung == [])
      for name in asked where name != "background" {
        #expect(rig.permissions.contains("\"\(name)\":true"), "\(name)")
      }
      #expect(rig.permissions.contains("alarms") == (system != 18))
    }
  }

  @Test func `what nobody was asked for is told once the page is out of view`() throws {
    let rig = try AppRig(Town.day(), parameters: .ideal, authorization: .notDetermined)
    rig.phone.openApplication()
    rig.on { $0.conditions.ask(.notifications) }
    rig.run(for: .seconds(2))
    rig.on {
      $0.engine?.setZones(Town.dayZones, .phone)
      $0.engine?.perform(.activate)
    }
    rig.run(for: .seconds(20))
    #expect(rig.told("trouble.").isEmpty)
    rig.phone.leaveApplication()
    rig.run(for: .seconds(1))
    #expect(rig.told("trouble.").map(\.id) == ["trouble.locationRefused", "trouble.alarmsRefused"])
  }

  @Test func `nobody is bothered while no alarm is armed`() throws {
    let rig = try AppRig(Town.day())
    rig.phone.openApplication()
    rig.phone.change { $0.lowPower = true }
    rig.run(for: .seconds(5))
    #expect(rig.fake.notificationCentre.shown == [])
    #expect(rig.permissions.contains("lowPower"))
  }

  @Test func `with permission only while in use an activity keeps it running`() throws {
    let journey = Town.day()
    let rig = try AppRig(journey, authorization: .authorizedWhenInUse)
    rig.setUp(Town.dayZones)
    rig.run(for: .minutes(10))
    #expect(rig.told("trouble.onlyWhileInUse").count == 1)
  }

  @Test
  func `what is changed while nobody looks is found by a background task, also after the process ended`()
    throws
  {
    for ends in [false, true] {
      let rig = try watching()
      rig.run(for: .minutes(1))
      if ends { rig.phone.crash() }
      rig.phone.change { $0.timeSensitive = false }
      rig.run(for: .hours(1) + .minutes(30))
      #expect(rig.told("trouble.").map(\.id) == ["trouble.notTimeSensitive"], "\(ends)")
    }
  }
}
