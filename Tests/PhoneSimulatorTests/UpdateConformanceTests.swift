import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: updates and single positions")
struct UpdateConformanceTests {
  private func metres(_ a: CLLocation, _ b: CLLocation) -> Double { a.distance(from: b) }

  @Test(arguments: UInt64(1)...5)
  func `9 - a filter of 50 m keeps fixes 50 m apart unless one is clearly better`(seed: UInt64) {
    let rig = Rig(Scene.straight(speed: 5, metres: 5000), seed: seed)
    rig.app { app in
      app.manager.distanceFilter = 50
      app.manager.startUpdatingLocation()
    }
    rig.run(seconds: 1000)
    let fixes = rig.journal.fixes.map(\.location)
    #expect(fixes.count > 20)
    for (a, b) in zip(fixes, fixes.dropFirst()) {
      #expect(
        metres(a, b) >= 50 || b.horizontalAccuracy < 0.5 * a.horizontalAccuracy, "seed \(seed)")
    }
  }

  @Test(arguments: [
    kCLLocationAccuracyBest, kCLLocationAccuracyHundredMeters, kCLLocationAccuracyThreeKilometers,
  ])
  func `10 - a request gives exactly one callback`(accuracy: Double) {
    for seed in 1...UInt64(30) {
      let rig = Rig(Scene.still(hours: 1), seed: seed)
      rig.app { app in
        app.manager.desiredAccuracy = accuracy
        app.manager.requestLocation()
        app.manager.requestLocation()
      }
      rig.run(seconds: 300)
      #expect(rig.journal.fixes.count == 1, "seed \(seed)")
    }
  }

  @Test func `10 - a request with nothing to measure by gives one error`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.phone.conditions = {
      var none = Phone.Conditions()
      none.wifi = false
      none.network = false
      none.satellites = false
      return none
    }()
    rig.app { $0.manager.requestLocation() }
    rig.run(seconds: 300)
    let errors = rig.journal.times { if case .failed(.locationUnknown) = $0 { true } else { false } }
    #expect(errors.count == 1)
    #expect(rig.journal.fixes.isEmpty)
  }

  @Test func `11 - a session pauses after 900 s of stillness and does not resume by itself`() {
    let journey = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .stand(.hours(1)), .go(to: Scene.place(metres: 3000), .metresPerSecond(2), .walking),
        .stand(.hours(1)),
      ])
    let rig = Rig(journey)
    rig.app { app in
      app.manager.allowsBackgroundLocationUpdates = true
      app.manager.startUpdatingLocation()
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 3 * 3600)
    let pauses = rig.journal.times { if case .paused = $0 { true } else { false } }
    #expect(pauses.map { ($0 - Scene.start).seconds } == [900])
    #expect(rig.journal.fixes.allSatisfy { ($0.time - Scene.start).seconds < 900 })
    #expect(!rig.phone.isApplicationExecuting)
  }

  @Test func `11 - with the flag off nothing pauses`() {
    let rig = Rig(Scene.straight(stand: 3600, speed: 2, metres: 3000))
    rig.app { app in
      app.manager.pausesLocationUpdatesAutomatically = false
      app.manager.allowsBackgroundLocationUpdates = true
      app.manager.startUpdatingLocation()
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 3600 + 1500)
    #expect(rig.journal.times { if case .paused = $0 { true } else { false } }.isEmpty)
    #expect(rig.phone.isApplicationExecuting)
    // About one fix a second while walking.
    #expect(rig.journal.fixes.filter { ($0.time - Scene.start).seconds > 3600 }.count > 500)
  }

  @Test func `12 - updates without the background flag end at suspension`() {
    let rig = Rig(Scene.straight(stand: 10, speed: 2, metres: 10_000))
    rig.app { $0.manager.startUpdatingLocation() }
    rig.run(seconds: 100)
    rig.phone.leaveApplication()
    rig.run(seconds: 600)
    let last = rig.journal.fixes.last.map { ($0.time - Scene.start).seconds } ?? 0
    #expect((99...105.1).contains(last))
    #expect(rig.phone.ledger.time(.session).seconds <= 105.1)
  }

  @Test func `12 - a session begun in a background wake without the flag ends with the wake`() {
    let rig = Rig(Scene.straight(speed: 5, metres: 10_000), parameters: .faultless) { app in
      app.manager.startMonitoring(for: Scene.region())
    }
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 20)
    rig.phone.terminateIfSuspended()
    rig.run(seconds: 1)
    #expect(!rig.phone.isApplicationAlive)
    rig.run(seconds: 600)
    let exit = rig.journal.exits.first
    #expect(exit != nil)
    #expect(!rig.phone.isApplicationExecuting)
  }

  @Test func `positions are within their stated accuracy as often as measured`() {
    let journey = Scene.straight(stand: 1, speed: 1.5, metres: 20_000)
    let rig = Rig(journey)
    rig.app { $0.manager.startUpdatingLocation() }
    rig.run(seconds: 13_000)
    let fixes = rig.journal.fixes.map(\.location).filter { $0.horizontalAccuracy < 60 }
    let errors = fixes.map { fix -> (error: Double, accuracy: Double) in
      let time = Instant(
        millisecondsSince1970: Int64((fix.timestamp.timeIntervalSince1970 * 1000).rounded()))
      let truth = journey.position(at: time)
      let there = CLLocation(latitude: truth.latitude.degrees, longitude: truth.longitude.degrees)
      return (fix.distance(from: there), fix.horizontalAccuracy)
    }
    let within = Double(errors.filter { $0.error <= $0.accuracy }.count) / Double(errors.count)
    #expect((0.7...0.95).contains(within), "\(within)")
    let tens = Double(errors.filter { $0.accuracy == 10 }.count) / Double(errors.count)
    #expect(abs(tens - 0.68) < 0.03)
    let middle = errors.filter { $0.accuracy == 10 }.map(\.error).sorted()
    #expect((5.5...7.8).contains(middle[middle.count / 2]))
  }

  @Test func `errors are correlated over a minute, not over ten`() {
    let journey = Scene.straight(stand: 1, speed: 1, metres: 14_000)
    let rig = Rig(
      journey,
      parameters: .ideal.with {
        $0.satelliteSigmaMetres = 5
        $0.errorFollowsAccuracy = 0
      })
    rig.app { $0.manager.startUpdatingLocation() }
    rig.run(seconds: 14_000)
    let north = rig.journal.fixes.map {
      $0.location.coordinate.latitude - journey.position(at: $0.time).latitude.degrees
    }
    func correlation(_ lag: Int) -> Double {
      let pairs = zip(north, north.dropFirst(lag))
      let sum = pairs.reduce(0) { $0 + $1.0 * $1.1 }
      return sum / north.reduce(0) { $0 + $1 * $1 }
    }
    #expect((0.8...0.99).contains(correlation(10)))
    #expect(abs(correlation(600)) < 0.3)
  }
}
