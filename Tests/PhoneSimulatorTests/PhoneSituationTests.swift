import AlarmEngine
import Foundation
import Geometry
import PhoneSimulator
import Testing

@Suite("Situations of a phone")
struct PhoneSituationTests {
  // MARK: Regions

  @Test func `a region is said to be watched before its state is told, on every version`() {
    for version in [18, 26] {
      let rig = Rig(Scene.still(hours: 1), system: .iOS(IOSVersion(version)), parameters: .faultless)
      rig.app { $0.manager.startMonitoring(for: Scene.region()) }
      rig.run(seconds: 60)
      let order = rig.journal.entries.compactMap { entry -> String? in
        switch entry.callback {
        case .started: "started"
        case .state: "state"
        default: nil
        }
      }
      #expect(order.first == "started" && order.count > 1, "iOS \(version): \(order)")
    }
  }

  @Test(arguments: [
    (false, true, CLError.Code.regionMonitoringResponseDelayed),
    (false, false, .regionMonitoringSetupDelayed),
  ])
  func `a region that will be told of late says so, and is watched all the same`(
    _ wifi: Bool, _ network: Bool, _ code: CLError.Code
  ) {
    let rig = Rig(Scene.straight(speed: 10, metres: 20_000), parameters: .faultless)
    rig.phone.conditions.wifi = wifi
    rig.phone.conditions.network = network
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 5)
    let told = rig.journal.times { if case .regionFailed("r", code) = $0 { true } else { false } }
    #expect(told.count == 1)
    rig.app { #expect($0.manager.monitoredRegions.count == 1) }
    rig.phone.conditions.network = true
    rig.run(seconds: 1900)
    #expect(rig.journal.exits.count == 1)
  }

  @Test func `a delayed region comes with a larger one that would be quicker`() throws {
    final class Listener: NSObject, PhoneApplication, CLLocationManagerDelegate {
      let manager = CLLocationManager()
      static nonisolated(unsafe) var radii: [Double] = []
      override init() {
        super.init()
        manager.delegate = self
      }
      func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
      ) {
        if let alternate = (error as? CLError)?.alternateRegion as? CLCircularRegion {
          Self.radii.append(alternate.radius)
        }
      }
    }
    let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
    phone.conditions.wifi = false
    var listener: Listener?
    phone.install { _ in
      let made = Listener()
      listener = made
      return made
    }
    phone.openApplication()
    phone.perform { _ in listener?.manager.startMonitoring(for: Scene.region(radius: 150)) }
    phone.run(until: Scene.start + .seconds(1))
    #expect(Listener.radii == [300])
  }

  // MARK: Restart, update, permission

  @Test func `after a restart events wait until the phone is unlocked`() throws {
    let journey = Scene.straight(stand: 3000, speed: 10, metres: 5000, standAfter: 20_000)
    let rig = Rig(journey, parameters: .faultless.with { $0.firstUnlockSeconds = 7200 })
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 60)
    rig.phone.reboot()
    rig.run(seconds: 6000)
    #expect(!rig.phone.isApplicationAlive && rig.journal.exits.isEmpty)
    rig.run(seconds: 2000)
    let exit = try #require(rig.journal.exits.first)
    #expect((7260...7270).contains((exit - Scene.start).seconds - 60))
  }

  @Test func `opening the application unlocks the phone`() {
    let journey = Scene.straight(stand: 3000, speed: 10, metres: 5000, standAfter: 20_000)
    let rig = Rig(journey, parameters: .faultless.with { $0.firstUnlockSeconds = 1e6 })
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.phone.reboot()
    rig.run(seconds: 1000)
    rig.phone.openApplication()
    rig.phone.leaveApplication()
    rig.run(seconds: 4000)
    #expect(rig.journal.exits.count == 1)
  }

  @Test func `an update keeps regions and storage, and the next event starts the new version`() {
    let rig = Rig(Scene.straight(stand: 600, speed: 10, metres: 5000), parameters: .faultless)
    rig.app { app in
      app.manager.startMonitoring(for: Scene.region())
      app.environment["a"] = "b"
    }
    rig.run(seconds: 60)
    rig.phone.update()
    #expect(!rig.phone.isApplicationAlive)
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.count == 1 && rig.journal.launches == 2)
    rig.app { #expect($0.environment["a"] == "b") }
  }

  @Test(arguments: [true, false])
  func `the reminder of Always may cost it`(keeps: Bool) {
    var user = User()
    user.keepsAlways = keeps
    let rig = Rig(
      Scene.straight(stand: 60, speed: 10, metres: 5000, standAfter: 90_000),
      parameters: .faultless.with { $0.alwaysReminderSeconds = 3600 }, user: user)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.phone.leaveApplication()
    rig.run(seconds: 3000)
    rig.app { #expect($0.manager.authorizationStatus == .authorizedAlways) }
    rig.run(seconds: 3600)
    rig.app { app in
      #expect(app.manager.authorizationStatus == (keeps ? .authorizedAlways : .authorizedWhenInUse))
    }
  }

  @Test func `updates in the background need their declaration`() async {
    await #expect(processExitsWith: .failure) {
      let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
      phone.install(backgroundLocation: false) { launch in
        Recorder(launch, journal: Journal()) { $0.manager.allowsBackgroundLocationUpdates = true }
      }
      phone.openApplication()
    }
  }

  @Test func `a location manager on Android is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      let phone = Phone(journey: Scene.still(hours: 1), system: .android(api: 34), seed: 1)
      phone.install { Recorder($0, journal: Journal()) { _ in } }
      phone.openApplication()
    }
  }

  // MARK: Updates

  @Test(arguments: [
    (CLActivityType.other, 900.0), (.fitness, 450), (.airborne, 1800), (.automotiveNavigation, 1800),
  ])
  func `the activity tunes the pause`(_ activity: CLActivityType, _ seconds: Double) {
    let parameters = PhoneParameters.faultless.with {
      $0.autoPauseFitnessFactor = 0.5
      $0.autoPauseNavigationFactor = 2
    }
    let rig = Rig(Scene.still(hours: 2), parameters: parameters) { app in
      app.manager.activityType = activity
      app.manager.startUpdatingLocation()
    }
    rig.run(seconds: 7000)
    let pauses = rig.occurrences { $0 == .sessionPaused }.map { ($0.time - Scene.start).seconds }
    #expect(pauses == [seconds])
  }

  @Test func `who asks for reduced accuracy gets it, with full permission too`() {
    let rig = Rig(Scene.straight(speed: 5, metres: 10_000)) { app in
      app.manager.desiredAccuracy = kCLLocationAccuracyReduced
      app.manager.startUpdatingLocation()
    }
    rig.run(seconds: 3600)
    #expect((2...5).contains(rig.journal.fixes.count))
    #expect(rig.journal.fixes.allSatisfy { $0.location.horizontalAccuracy == 5000 })
    #expect(rig.phone.ledger[.satellites] == 0)
  }

  @Test func `a visit is no better placed than Wi-Fi knows`() {
    let rig = Rig(Scene.still(hours: 3), parameters: .faultless)
    rig.app { $0.manager.startMonitoringVisits() }
    rig.run(seconds: 7200)
    let visits = rig.journal.entries.compactMap { entry in
      if case .visit(let visit) = entry.callback { visit } else { nil }
    }
    #expect(visits.count == 1)
    let home = CLLocation(latitude: Scene.home.latitude.degrees, longitude: Scene.home.longitude.degrees)
    for visit in visits {
      let there = CLLocation(latitude: visit.coordinate.latitude, longitude: visit.coordinate.longitude)
      #expect((0.1...100).contains(there.distance(from: home)))
      #expect(visit.horizontalAccuracy == 65)
    }
  }
}
