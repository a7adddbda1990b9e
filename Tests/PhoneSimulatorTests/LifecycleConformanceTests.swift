import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: processes")
struct LifecycleConformanceTests {
  @Test func `13 - a wake gives ten seconds, and what is not done by then is not done`() {
    var ran: [Double] = []
    let rig = Rig(Scene.straight(speed: 10, metres: 10_000), parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.phone.leaveApplication()
    rig.run(seconds: 60)
    #expect(!rig.phone.isApplicationExecuting)
    while rig.journal.exits.isEmpty, rig.phone.now < Scene.start + .seconds(1000) { rig.run(seconds: 1) }
    guard let woken = rig.occurrences({ if case .woken = $0 { true } else { false } }).first?.time else {
      Issue.record("never woken")
      return
    }
    rig.app { app in
      app.environment.after(.seconds(5)) { ran.append(5) }
      app.environment.after(.seconds(30)) { ran.append(30) }
    }
    rig.run(seconds: 300)
    #expect(ran == [5])
    let suspended = rig.occurrences { $0 == .suspended }.map(\.time).first { $0 > woken }
    #expect(suspended.map { ($0 - woken).seconds } == 10)
  }

  @Test(arguments: [(6, 600), (12, 180), (18, 30)] as [(IOSVersion, Double)])
  func `13 - a background task lasts as long as its era allows`(version: IOSVersion, budget: Double) {
    let rig = Rig(Scene.still(hours: 2), system: .iOS(version))
    var task = 0
    rig.app { app in
      task = app.environment.beginBackgroundTask { [weak app] in app?.environment.endBackgroundTask(task) }
    }
    rig.phone.leaveApplication()
    rig.app { #expect($0.environment.backgroundTimeRemaining == budget) }
    rig.run(seconds: 3600)
    let end = rig.occurrences { $0 == .suspended }.first.map { ($0.time - Scene.start).seconds }
    #expect(end == budget)
    #expect(rig.phone.isApplicationAlive)
  }

  @Test func `13 - a background task never ended ends the application`() {
    let rig = Rig(Scene.still(hours: 2))
    rig.app { _ = $0.environment.beginBackgroundTask() }
    rig.phone.leaveApplication()
    rig.run(seconds: 600)
    #expect(!rig.phone.isApplicationAlive)
    #expect(rig.occurrences { $0 == .ended(.overtime) }.count == 1)
  }

  /// Ends the application in the background, then travels 20 km.
  private func relaunch(
    system: PhoneSystem, restartsSignificantChanges: Bool, end: (Phone) -> Void
  ) -> Rig {
    let rig = Rig(
      Scene.straight(stand: 600, speed: 10, metres: 20_000), system: system, parameters: .faultless
    ) { app in
      if app.environment["registered"] == nil {
        app.manager.startMonitoring(for: Scene.region())
        app.manager.startMonitoringSignificantLocationChanges()
        app.environment["registered"] = "yes"
      } else if restartsSignificantChanges {
        app.manager.startMonitoringSignificantLocationChanges()
      }
    }
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 60)
    end(rig.phone)
    #expect(!rig.phone.isApplicationAlive)
    rig.run(seconds: 2500)
    return rig
  }

  @Test func `14 - an application ended by the system comes back with its regions`() {
    let rig = relaunch(system: .iOS(18), restartsSignificantChanges: true) { $0.terminateIfSuspended() }
    #expect(rig.journal.launches == 2)
    #expect(rig.journal.exits.count == 1)
    rig.app { #expect($0.manager.monitoredRegions.map(\.identifier) == ["r"]) }
    #expect(rig.journal.fixes.contains { ($0.time - Scene.start).seconds > 700 })
  }

  @Test func `14 - significant changes stay away until they are started again`() {
    let rig = relaunch(system: .iOS(18), restartsSignificantChanges: false) { $0.terminateIfSuspended() }
    #expect(rig.journal.launches == 2)
    #expect(rig.journal.fixes.allSatisfy { ($0.time - Scene.start).seconds < 100 })
  }

  @Test(arguments: [(6, true), (7, false), (18, true), (26, false)] as [(IOSVersion, Bool)])
  func `15 - after a force quit the system decides whether it comes back`(version: IOSVersion, back: Bool) {
    let rig = relaunch(system: .iOS(version), restartsSignificantChanges: true) { $0.forceQuit() }
    #expect(rig.phone.isApplicationAlive == back)
    #expect(rig.journal.exits.isEmpty == !back)
  }

  @Test func `15 - after a force quit on iOS 26 opening it by hand puts all right`() {
    let rig = Rig(
      Scene.straight(stand: 1000, speed: 10, metres: 20_000), system: .iOS(26), parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 10)
    rig.phone.forceQuit()
    rig.run(seconds: 10)
    rig.phone.openApplication()
    rig.phone.leaveApplication()
    rig.run(seconds: 2500)
    #expect(rig.journal.exits.count == 1)
  }

  @Test func `16 - a reboot forgets states, is silent for a while, and tells nothing of moves meanwhile`() {
    let journey = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .stand(.seconds(600)), .go(to: Scene.place(metres: 3000), .metresPerSecond(15), .vehicle),
        .stand(.hours(1)), .go(to: Scene.home, .metresPerSecond(15), .vehicle), .stand(.hours(1)),
      ])
    let rig = Rig(journey, parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 590)
    rig.phone.reboot()
    rig.run(seconds: 120)
    rig.phone.openApplication()
    rig.app { $0.manager.requestState(for: Scene.region()) }
    rig.run(seconds: 10)
    #expect(rig.journal.states.last == .unknown)
    rig.phone.leaveApplication()
    rig.run(seconds: 3000)
    #expect(rig.journal.exits.isEmpty)
    rig.run(seconds: 2400)
    #expect(rig.journal.arrivals.count == 1)
    let silent = rig.occurrences { if case .stateKnown = $0 { true } else { false } }.last
    #expect(silent.map { ($0.time - Scene.start).seconds } == 1250.0)
  }

  @Test func `17 - reduced accuracy refuses regions and gives positions of kilometres`() {
    let rig = Rig(Scene.straight(speed: 5, metres: 10_000))
    rig.phone.setReducedAccuracy(true)
    rig.app { app in
      #expect(app.manager.accuracyAuthorization == .reducedAccuracy)
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startUpdatingLocation()
    }
    rig.run(seconds: 3600)
    let refused = rig.journal.times { if case .regionFailed = $0 { true } else { false } }
    #expect(refused.count == 1)
    let fixes = rig.journal.fixes
    #expect((2...5).contains(fixes.count))
    #expect(fixes.allSatisfy { (1000...20_000).contains($0.location.horizontalAccuracy) })
  }

  @Test func `17 - lent accuracy ends when the application is left`() async {
    let rig = Rig(Scene.still(hours: 1))
    rig.phone.setReducedAccuracy(true)
    rig.app { $0.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "alarm") }
    rig.run(seconds: 10)
    rig.app { #expect($0.manager.accuracyAuthorization == .fullAccuracy) }
    rig.phone.leaveApplication()
    rig.app { #expect($0.manager.accuracyAuthorization == .reducedAccuracy) }
  }

  @Test(arguments: [true, false])
  func `18 - a provisional Always holds the first event until the user has answered`(confirms: Bool) {
    var user = User()
    user.answer = .always
    user.confirmsAlways = confirms
    let rig = Rig(
      Scene.straight(stand: 600, speed: 10, metres: 20_000, standAfter: 7200), parameters: .faultless,
      authorization: .notDetermined, user: user)
    rig.app { $0.manager.requestAlwaysAuthorization() }
    rig.run(seconds: 10)
    rig.app { app in
      #expect(app.manager.authorizationStatus == .authorizedAlways)
      app.manager.startMonitoring(for: Scene.region())
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 2 * 3600)
    let delay = rig.journal.exits.first.map { ($0 - Scene.start).seconds - 610 }
    if confirms {
      #expect(delay.map { $0 > 3600 } ?? false)
    } else {
      #expect(delay == nil)
      rig.app { #expect($0.manager.authorizationStatus == .authorizedWhenInUse) }
    }
  }

  @Test func `18 - once ends when the application is left`() {
    var user = User()
    user.answer = .once
    let rig = Rig(Scene.still(hours: 1), authorization: .notDetermined, user: user)
    rig.app { $0.manager.requestWhenInUseAuthorization() }
    rig.run(seconds: 10)
    rig.app { #expect($0.manager.authorizationStatus == .authorizedWhenInUse) }
    rig.phone.leaveApplication()
    rig.app { #expect($0.manager.authorizationStatus == .notDetermined) }
  }
}
