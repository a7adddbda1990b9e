import AlarmEngine
import Geometry
import PhoneSimulator
import TestSupport
import Testing

@Suite("Phones")
struct PhoneTests {
  @Test func `a phone is gone when nobody holds it, application and all`() {
    weak var phone: Phone?
    weak var recorder: Recorder?
    do {
      let rig = Rig(Scene.straight(speed: 2, metres: 5000)) { app in
        app.manager.startUpdatingLocation()
        app.manager.startMonitoring(for: Scene.region())
      }
      rig.run(seconds: 100)
      phone = rig.phone
      recorder = rig.journal.recorder
      #expect(recorder != nil)
    }
    #expect(phone == nil)
    #expect(recorder == nil)
  }

  @Test func `an application launched for an event may be told it twice`() {
    let rig = Rig(
      Scene.straight(stand: 600, speed: 10, metres: 5000),
      parameters: .faultless.with { $0.duplicateOnRelaunch = 1 })
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 60)
    rig.phone.terminateIfSuspended()
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.count == 2)
    #expect(Set(rig.journal.exits).count == 1)
  }

  @Test func `another application's session makes ours free of satellites and regions quick`() {
    var conditions = Phone.Conditions()
    conditions.otherSession = true
    let journey = Scene.straight(speed: 10, metres: 5000)
    let rig = Rig(journey, parameters: .faultless)
    rig.phone.conditions = conditions
    rig.app { app in
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startUpdatingLocation()
    }
    rig.run(seconds: 300)
    #expect(rig.phone.ledger[.satellites] == 0)
    // 60 m of cushion and 20 s of dwell after crossing at 70 s.
    #expect(rig.journal.exits.first.map { ($0 - Scene.start).seconds < 97 } ?? false)
  }

  @Test func `Wi-Fi off makes regions three times as late`() {
    func delay(wifi: Bool) -> Double {
      let rig = Rig(Scene.straight(speed: 10, metres: 20_000), parameters: .faultless, seed: 5)
      rig.phone.conditions.wifi = wifi
      rig.app { $0.manager.startMonitoring(for: Scene.region()) }
      rig.run(seconds: 2000)
      return rig.journal.exits.first.map { ($0 - Scene.start).seconds - 70 } ?? -1
    }
    #expect(abs(delay(wifi: false) / delay(wifi: true) - 3) < 0.05)
  }

  @Test func `with no network at all an event waits until one returns`() {
    let rig = Rig(Scene.straight(speed: 10, metres: 5000), parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 10)
    rig.phone.conditions.wifi = false
    rig.phone.conditions.network = false
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.isEmpty)
    rig.phone.conditions.network = true
    rig.run(seconds: 1000)
    #expect(rig.journal.exits.count == 1)
  }

  @Test func `a satellite outage leaves positions by Wi-Fi, and its end brings satellites back`() {
    let rig = Rig(Scene.straight(stand: 1, speed: 2, metres: 10_000), parameters: .faultless)
    rig.app { $0.manager.startUpdatingLocation() }
    rig.run(seconds: 300)
    rig.phone.conditions.satellites = false
    rig.run(seconds: 600)
    rig.phone.conditions.satellites = true
    rig.run(seconds: 600)
    func accuracies(_ range: Range<Double>) -> Set<Double> {
      Set(
        rig.journal.fixes.filter { range.contains(($0.time - Scene.start).seconds) }
          .map(\.location.horizontalAccuracy))
    }
    #expect(accuracies(302..<900) == [65])
    #expect(accuracies(1000..<1500).contains(10))
  }

  @Test func `denied permission gives an error at once, and nothing else`() {
    let rig = Rig(Scene.still(hours: 1), authorization: .denied)
    rig.app { app in
      app.manager.startUpdatingLocation()
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startMonitoringSignificantLocationChanges()
    }
    rig.run(seconds: 600)
    let denials = rig.journal.times { if case .failed(.denied) = $0 { true } else { false } }
    #expect(denials.count == 2)
    #expect(rig.journal.fixes.isEmpty)
    #expect(rig.phone.ledger.marginal == 0)
  }

  @Test func `a new installation knows nothing of the old one`() {
    let rig = Rig(Scene.straight(stand: 600, speed: 10, metres: 5000), parameters: .faultless)
    rig.app { app in
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startMonitoringVisits()
      app.environment["a"] = "b"
    }
    rig.run(seconds: 60)
    rig.phone.reinstall()
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.isEmpty && rig.journal.launches == 1)
    rig.phone.openApplication()
    rig.app { app in
      #expect(app.manager.monitoredRegions.isEmpty && app.environment["a"] == nil)
      #expect(app.manager.authorizationStatus == .notDetermined)
    }
  }

  @Test func `location switched off stops all, and tells the application`() {
    let rig = Rig(Scene.straight(stand: 600, speed: 10, metres: 5000), parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 60)
    rig.phone.setLocationServices(false)
    rig.app { #expect($0.manager.authorizationStatus == .denied) }
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.isEmpty)
  }

  @Test func `iOS 26 calls a new region outside before it knows better`() {
    for (version, states) in [(18, [.inside]), (26, [.outside, .inside])] as [(Int, [CLRegionState])] {
      let rig = Rig(Scene.still(hours: 1), system: .iOS(IOSVersion(version)), parameters: .faultless)
      rig.app { $0.manager.startMonitoring(for: Scene.region()) }
      rig.run(seconds: 60)
      #expect(rig.journal.states == states)
    }
  }

  @Test func `without Background App Refresh only iOS 7 wakes nobody`() {
    for (version, wakes) in [(IOSVersion(7, 1), false), (8, true)] as [(IOSVersion, Bool)] {
      var user = User()
      user.allowsBackgroundRefresh = false
      let rig = Rig(
        Scene.straight(speed: 10, metres: 5000), system: .iOS(version), parameters: .faultless, user: user)
      rig.app { $0.manager.startMonitoring(for: Scene.region()) }
      rig.phone.leaveApplication()
      rig.run(seconds: 600)
      #expect(rig.journal.exits.isEmpty == !wakes)
    }
  }

  @Test func `the longest silence of significant changes can be switched on`() {
    let rig = Rig(
      Scene.still(hours: 2), parameters: .faultless.with { $0.significantSilenceSeconds = 900 })
    rig.app { $0.manager.startMonitoringSignificantLocationChanges() }
    rig.phone.leaveApplication()
    rig.run(seconds: 7000)
    #expect(rig.occurrences { $0 == .significantChange }.count == 7)
  }

  @Test func `defaults are those of the platform's table`() {
    let rig = Rig(Scene.still(hours: 1), authorization: .notDetermined)
    rig.app { app in
      let manager = CLLocationManager()
      #expect(manager.desiredAccuracy == kCLLocationAccuracyBest && kCLLocationAccuracyBest == -1)
      #expect(manager.distanceFilter == kCLDistanceFilterNone)
      #expect(manager.activityType == .other)
      #expect(manager.pausesLocationUpdatesAutomatically)
      #expect(!manager.allowsBackgroundLocationUpdates && !manager.showsBackgroundLocationIndicator)
      #expect(manager.location == nil && manager.heading == nil && manager.headingFilter == 1)
      #expect(manager.authorizationStatus == .notDetermined)
      #expect(manager.accuracyAuthorization == .fullAccuracy)
      #expect(manager.maximumRegionMonitoringDistance == 70_000)
      #expect(manager.monitoredRegions.isEmpty)
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
    }
  }

  @Test func `actions planned ahead happen at their time`() {
    let rig = Rig(Scene.still(hours: 3))
    rig.phone.at(Scene.start + .hours(1)) { $0.leaveApplication() }
    rig.phone.at(Scene.start + .hours(2)) { $0.reboot() }
    rig.run(seconds: 3 * 3600)
    let told = rig.phone.log.entries.map { (($0.time - Scene.start).seconds, $0.occurrence) }
    #expect(told.contains { $0 == (3600, .background) })
    #expect(told.contains { $0 == (3605, .suspended) })
    #expect(told.contains { $0 == (7260, .bootedUp) })
  }

  @Test func `a planned alert outlives the application, and can be called off`() {
    let rig = Rig(Scene.still(hours: 2))
    rig.app { app in
      app.environment.planAlert(id: "asleep", after: .minutes(30), title: "asleep")
      app.environment.planAlert(id: "other", after: .minutes(30), title: "other")
      app.environment.cancelAlert(id: "other")
    }
    rig.phone.forceQuit()
    rig.run(seconds: 3600)
    let shown = rig.occurrences { if case .notified = $0 { true } else { false } }
    #expect(shown.map(\.occurrence) == [.notified("asleep")])
  }

  @Test func `motion is told with its delay, and only to a running application`() {
    var told: [(Double, Journey.Motion)] = []
    let prompt = PhoneParameters.measured2019.with { $0.motionDelay = .constant(30) }
    let rig = Rig(Scene.straight(stand: 100, speed: 2, metres: 1000), parameters: prompt)
    rig.app { app in
      let environment = app.environment
      environment.watchMotion { told.append(((environment.now - Scene.start).seconds, $0)) }
    }
    rig.run(seconds: 300)
    rig.phone.leaveApplication()
    rig.run(seconds: 1000)
    #expect(told.map(\.0) == [30, 130])
    #expect(told.map(\.1) == [.still, .walking])
  }

  /// The delay in seconds until a phone that rested for 100 s and set off is reported as walking.
  private func wordDelay(seed: UInt64, listeningFrom seconds: Double = 0) -> Double? {
    var word: Double?
    let rig = Rig(Scene.straight(stand: 100, speed: 2, metres: 3000), seed: seed)
    rig.phone.at(Scene.start + .seconds(seconds)) { _ in
      rig.app { app in
        let environment = app.environment
        environment.watchMotion {
          if $0 == .walking, word == nil { word = (environment.now - Scene.start).seconds - 100 }
        }
      }
    }
    rig.run(seconds: 1000)
    return word
  }

  @Test func `motion is told as late as on recorded phones, the same to every application`() throws {
    let delays = (1...300).compactMap { wordDelay(seed: $0) }.sorted()
    try #require(delays.count == 300)
    // Six phones that had reported still: medians of 8 to 28 s, 90 in 100 within 31 to 219 s, 53 to 87 in 100
    // within 30 s.
    #expect((8...28).contains(delays[150]), "\(delays[150])")
    #expect((31...219).contains(delays[270]), "\(delays[270])")
    let prompt = Double(delays.count { $0 <= 30 }) / 300
    #expect((0.53...0.87).contains(prompt), "\(prompt)")
    for seed in UInt64(1)...5 {
      #expect(wordDelay(seed: seed, listeningFrom: 60) == wordDelay(seed: seed), "seed \(seed)")
    }
  }

  @Test func `who begins to listen hears the first word no sooner than the change was noticed`() throws {
    let slow = try #require((1...300).first { (wordDelay(seed: $0) ?? 0) > 60 })
    #expect(wordDelay(seed: slow, listeningFrom: 110) == wordDelay(seed: slow))
    let quick = try #require((1...300).first { (wordDelay(seed: $0) ?? 60) < 20 })
    #expect(wordDelay(seed: quick, listeningFrom: 200) == 130)
  }
}
