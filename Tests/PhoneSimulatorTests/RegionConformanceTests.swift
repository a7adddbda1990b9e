import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: regions")
struct RegionConformanceTests {
  @Test func `1 - the 21st region fails and leaves the other twenty untouched`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.app { app in
      for n in 0..<21 { app.manager.startMonitoring(for: Scene.region("r\(n)", metres: Double(n) * 1000)) }
    }
    rig.run(seconds: 10)
    var failures: [String?] = []
    for entry in rig.journal.entries {
      if case .regionFailed(let id, .regionMonitoringFailure) = entry.callback { failures.append(id) }
    }
    #expect(failures == ["r20"])
    rig.app { app in
      #expect(Set(app.manager.monitoredRegions.map(\.identifier)) == Set((0..<20).map { "r\($0)" }))
    }
  }

  @Test func `1 - beacons count among the twenty`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.app { app in
      for n in 0..<20 { app.manager.startMonitoring(for: CLBeaconRegion(uuid: .init(), identifier: "b\(n)")) }
      app.manager.startMonitoring(for: Scene.region())
      #expect(app.manager.monitoredRegions.count == 20)
    }
  }

  @Test func `1 - a region above the largest radius fails`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.app { app in
      app.manager.startMonitoring(
        for: Scene.region(radius: app.manager.maximumRegionMonitoringDistance + 1))
      #expect(app.manager.monitoredRegions.isEmpty)
    }
  }

  @Test func `2 - the same identifier replaces`() {
    let rig = Rig(Scene.still(hours: 1))
    rig.app { app in
      app.manager.startMonitoring(for: Scene.region("a", radius: 100))
      app.manager.startMonitoring(for: Scene.region("a", radius: 300))
      let radii = app.manager.monitoredRegions.compactMap { ($0 as? CLCircularRegion)?.radius }
      #expect(radii == [300])
    }
  }

  @Test func `3 - registering inside is no entry, and the state says inside`() {
    let rig = Rig(Scene.still(hours: 2), parameters: .faultless)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 3600)
    rig.app { $0.manager.requestState(for: Scene.region()) }
    rig.run(seconds: 10)
    #expect(rig.journal.arrivals.isEmpty)
    // Once when the state became known, and once on request.
    #expect(rig.journal.states == [.inside, .inside])
  }

  @Test(arguments: UInt64(1)...20)
  func `4 - jitter across the boundary gives at most one event`(seed: UInt64) throws {
    let edge = (0...400).map { n in
      Fix(
        position: Scene.place(metres: n % 2 == 0 ? 90 : 110), accuracy: .unstated,
        measuredAt: Scene.start + .seconds(Double(n) * 2.5))
    }
    let rig = Rig(try Journey(track: edge), parameters: .faultless, seed: seed)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 1500)
    #expect(rig.journal.exits.count + rig.journal.arrivals.count <= 1, "seed \(seed)")
  }

  /// Delays of exits over many seeds, in ascending order.
  private func exitDelays(
    speed: Double, runs: Int, parameters: PhoneParameters = .faultless, radius: Double = 100
  ) -> [Double] {
    var delays: [Double] = []
    let crossing = Scene.start + .seconds(60 + 100 / speed)
    for seed in 1...UInt64(runs) {
      let rig = Rig(
        Scene.straight(speed: speed, metres: 20_000, motion: .vehicle), parameters: parameters, seed: seed)
      rig.app { $0.manager.startMonitoring(for: Scene.region(radius: radius)) }
      rig.phone.leaveApplication()
      rig.run(seconds: 900)
      if let exit = rig.journal.exits.first { delays.append((exit - crossing).seconds) }
    }
    return delays.sorted()
  }

  @Test func `5 - exit delays over 1000 seeds have the measured quantiles`() {
    // Without cushion and dwell, which the measured delays already include.
    let bare = PhoneParameters.faultless.with {
      $0.exitCushionMetres = 0
      $0.crossingDwellSeconds = 0
    }
    let delays = exitDelays(speed: 14, runs: 1000, parameters: bare)
    #expect(delays.count == 1000)
    for (p, expected) in [(0.05, 19.0), (0.25, 64), (0.5, 100), (0.75, 126), (0.95, 165)] {
      // Crossings are found to within half a second; 0.021 is three standard deviations of a share among
      // 1000.
      let share = Double(delays.filter { $0 <= expected + 0.5 }.count) / 1000
      #expect(abs(share - p) <= 0.021, "\(share) instead of \(p)")
    }
    for (p, expected) in [(0.25, 64.0), (0.5, 100), (0.75, 126)] {
      let found = delays[Int(p * 1000)]
      #expect(abs(found - expected) <= 0.05 * expected, "at \(p): \(found)")
    }
  }

  @Test func `5 - cushion and dwell hold back an exit that would come sooner`() {
    let delays = exitDelays(speed: 2, runs: 60)
    // 60 m at 2 m/s, then 20 s.
    #expect(delays.allSatisfy { $0 >= 49.4 })
    #expect(delays.contains { $0 < 60 })
  }

  @Test func `6 - 30 m behaves as 100 m`() {
    let small = exitDelays(speed: 10, runs: 20, radius: 30)
    let plain = exitDelays(speed: 10, runs: 20, radius: 100)
    #expect(small == plain)
    #expect(!small.isEmpty)
  }

  @Test func `an entry is told where entries are wanted, and not where they are not`() {
    let rig = Rig(
      Scene.straight(speed: 10, metres: 2000, motion: .vehicle), parameters: .faultless)
    rig.app { app in
      app.manager.startMonitoring(for: Scene.region("told", radius: 300, metres: 2000))
      let silent = Scene.region("silent", radius: 300, metres: 2000)
      silent.notifyOnEntry = false
      app.manager.startMonitoring(for: silent)
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 2000)
    let entered = rig.journal.entries.compactMap { entry in
      if case .entered(let id) = entry.callback { id } else { nil }
    }
    #expect(entered == ["told"])
  }

  @Test func `lost events stay within the stated share`() {
    var lost = 0
    for seed in 1...UInt64(300) {
      let rig = Rig(
        Scene.straight(speed: 20, metres: 5000),
        parameters: .measured2019.with { $0.spuriousEventsPerDay = 0 },
        seed: seed)
      rig.app { $0.manager.startMonitoring(for: Scene.region()) }
      rig.run(seconds: 900)
      if rig.journal.exits.isEmpty { lost += 1 }
    }
    // 3 % of 300: 9, within three standard deviations.
    #expect((1...18).contains(lost))
  }

  @Test func `a false event is set right by a true one`() {
    let rig = Rig(
      Scene.still(hours: 48),
      parameters: .faultless.with { $0.spuriousEventsPerDay = 2 }, seed: 3)
    rig.app { $0.manager.startMonitoring(for: Scene.region()) }
    rig.phone.leaveApplication()
    rig.run(seconds: 47 * 3600)
    let (exits, arrivals) = (rig.journal.exits.count, rig.journal.arrivals.count)
    #expect(exits > 0)
    #expect(abs(exits - arrivals) <= 1)
  }
}
