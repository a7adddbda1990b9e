import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: energy and determinism")
struct EnergyConformanceTests {
  /// A day with one hour of movement: four walks of 15 minutes with stops in between.
  static let day = Journey(
    from: Scene.home, at: Scene.start,
    legs: [
      .stand(.hours(8)), .go(to: Scene.place(metres: 1260), .metresPerSecond(1.4), .walking),
      .stand(.hours(4)),
      .go(to: Scene.place(metres: 2520), .metresPerSecond(1.4), .walking), .stand(.hours(1)),
      .go(to: Scene.place(metres: 1260), .metresPerSecond(1.4), .walking), .stand(.hours(4)),
      .go(to: Scene.home, .metresPerSecond(1.4), .walking), .stand(.hours(6)),
    ])

  private func alwaysOn(_ profile: EnergyProfile, seed: UInt64 = 1, pauses: Bool = false) -> Rig {
    let rig = Rig(Self.day, profile: profile, seed: seed) { app in
      app.manager.pausesLocationUpdatesAutomatically = pauses
      app.manager.allowsBackgroundLocationUpdates = true
      app.manager.startUpdatingLocation()
    }
    rig.phone.leaveApplication()
    rig.phone.run(until: Scene.start + .hours(24))
    return rig
  }

  @Test func `always on at best accuracy, a day with an hour of movement costs 21.2 kJ`() {
    let rig = alwaysOn(.iPhone6)
    #expect(abs(rig.phone.ledger.marginal - 21_239) < 0.01 * 21_239, "\(rig.phone.ledger.marginal)")
    #expect(abs(rig.phone.ledger[.base] - 36 * 86.4) < 0.01)
    #expect(rig.journal.fixes.count < 6000)
  }

  @Test func `moving all day costs 9.6 Wh`() {
    let rig = Rig(Scene.straight(stand: 1, speed: 1, metres: 86_399, standAfter: 1)) { app in
      app.manager.pausesLocationUpdatesAutomatically = false
      app.manager.startUpdatingLocation()
    }
    rig.phone.run(until: Scene.start + .hours(24))
    #expect(abs(rig.phone.ledger.marginal / 3600 - 9.62) < 0.05)
  }

  @Test func `a single satellite position costs about 5 J on the iPhone 6`() {
    var sum = 0.0
    for seed in 1...UInt64(40) {
      let rig = Rig(Scene.straight(stand: 1, speed: 1, metres: 1000), seed: seed)
      rig.run(seconds: 10)
      rig.app { $0.manager.requestLocation() }
      rig.run(seconds: 100)
      sum += rig.phone.ledger.marginal
    }
    #expect((2...20).contains(sum / 40), "\(sum / 40)")
  }

  @Test func `a long distance filter saves four per cent and no more`() {
    func energy(_ filter: Double) -> Double {
      let rig = Rig(Scene.still(hours: 2)) { app in
        app.manager.pausesLocationUpdatesAutomatically = false
        app.manager.distanceFilter = filter
        app.manager.startUpdatingLocation()
      }
      rig.run(seconds: 7200)
      return rig.phone.ledger.marginal
    }
    #expect(abs(energy(30) / energy(kCLDistanceFilterNone) - 0.96) < 0.001)
    #expect(energy(1000) == energy(30))
  }

  @Test(arguments: EnergyProfile.profiles.map(\.name))
  func `21 - the components add up to the total`(name: String) throws {
    let profile = try #require(EnergyProfile.profiles.first { $0.name == name }?.profile)
    let rig = Rig(Self.day, parameters: .faultless, profile: profile) { app in
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startMonitoringSignificantLocationChanges()
      app.manager.startMonitoringVisits()
      app.manager.requestLocation()
      app.environment.watchMotion { _ in app.environment.alert("moved") }
    }
    rig.phone.leaveApplication()
    rig.phone.run(until: Scene.start + .hours(24))
    let ledger = rig.phone.ledger
    let sum = EnergyLedger.Component.allCases.reduce(0) { $0 + ledger[$1] }
    #expect(abs(sum - ledger.total) < 1e-6 * ledger.total)
    #expect(ledger[.wake] > 0 && ledger[.monitoring] > 0 && ledger[.satellites] > 0 && ledger[.processor] > 0)
    #expect(ledger.count(.wake) > 0)
  }

  @Test func `22 - the same seed gives the same bytes, another seed others`() {
    func bytes(_ seed: UInt64) -> [UInt8] {
      let rig = Rig(Self.day, parameters: .measured2019.with { $0.terminationsPerDay = 12 }, seed: seed) {
        app in
        app.manager.startMonitoring(for: Scene.region())
        app.manager.startMonitoringSignificantLocationChanges()
        app.manager.startMonitoringVisits()
        app.manager.requestLocation()
      }
      rig.phone.leaveApplication()
      rig.phone.run(until: Scene.start + .hours(24))
      return rig.phone.log.bytes
    }
    let first = bytes(7)
    #expect(!first.isEmpty)
    #expect(bytes(7) == first)
    #expect(bytes(8) != first)
  }

  @Test func `a ledger read twice is the same, and time only adds to it`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.run(seconds: 100)
    let once = rig.phone.ledger.total
    #expect(rig.phone.ledger.total == once)
    rig.run(seconds: 100)
    #expect(rig.phone.ledger.total > once)
  }
}
