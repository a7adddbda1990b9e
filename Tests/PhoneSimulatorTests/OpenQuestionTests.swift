import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

/// Unknown properties of phones are parameters, and each has an effect.
@Suite("Open questions")
struct OpenQuestionTests {
  @Test(arguments: [0.0, 1])
  func `a lost event may silence the other services`(_ joint: Double) {
    let parameters = PhoneParameters.faultless.with {
      $0.regionLossProbability = 1
      $0.jointFailureProbability = joint
      $0.jointFailureSeconds = 86_400
    }
    let rig = Rig(
      Scene.straight(stand: 60, speed: 10, metres: 30_000), parameters: parameters
    ) { app in
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startMonitoringSignificantLocationChanges()
      app.manager.startMonitoringVisits()
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 6000)
    #expect(rig.occurrences { $0 == .significantChange }.isEmpty == (joint == 1))
    #expect(rig.occurrences { $0 == .lost("r") }.count == 1)
    #expect(rig.occurrences { $0 == .lost("visit") }.isEmpty == (joint == 0))
  }

  @Test(arguments: [0.0, 24])
  func `a session at three kilometres may not live for long`(_ ends: Double) {
    let rig = Rig(
      Scene.still(hours: 24), parameters: .faultless.with { $0.keepAliveEndsPerDay = ends }
    ) { app in
      app.manager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
      app.manager.pausesLocationUpdatesAutomatically = false
      app.manager.allowsBackgroundLocationUpdates = true
      app.manager.startUpdatingLocation()
    }
    rig.phone.leaveApplication()
    rig.run(seconds: 86_000)
    #expect(rig.phone.isApplicationExecuting == (ends == 0))
  }

  @Test(arguments: [0.0, 1])
  func `iOS 26 may bring an application back after a force quit`(_ relaunches: Double) {
    let rig = Rig(
      Scene.straight(stand: 600, speed: 10, metres: 5000), system: .iOS(26),
      parameters: .faultless.with { $0.forceQuit26Relaunches = relaunches }
    ) { $0.manager.startMonitoring(for: Scene.region()) }
    rig.run(seconds: 60)
    rig.phone.forceQuit()
    rig.run(seconds: 1500)
    #expect(rig.phone.isApplicationAlive == (relaunches == 1))
  }

  @Test(arguments: [(0.0, "z30"), (1, "z31")])
  func `which condition gets a slot that falls free`(_ lastFirst: Double, _ expected: String) {
    final class Heard: @unchecked Sendable { var revived: [String] = [] }
    let heard = Heard()
    let rig = Rig(
      Scene.still(hours: 1), parameters: .faultless.with { $0.monitorRevivesLastFirst = lastFirst }
    ) { _ in
      Phone.current?.task {
        let monitor = await CLMonitor("zones")
        let region = Scene.region()
        let zone = CLMonitor.CircularGeographicCondition(center: region.center, radius: region.radius)
        for n in 10..<32 { await monitor.add(zone, identifier: "z\(n)") }
        Phone.current?.task {
          await monitor.remove("z15")
          do {
            for try await event in await monitor.events
            where event.state == .satisfied && ["z30", "z31"].contains(event.identifier) {
              heard.revived.append(event.identifier)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    rig.run(seconds: 30)
    #expect(heard.revived == [expected])
  }

  @Test(arguments: [(0.0, false), (60, false), (60, true)])
  func `a screen left alone goes dark and hides the page, unless it is kept on`(
    _ seconds: Double, _ keeps: Bool
  ) {
    final class Page: PhoneApplication {
      init(_ launch: Launch, keeps: Bool) { if keeps { launch.environment.requestWakeLock() } }
    }
    let phone = Phone(
      journey: Scene.still(hours: 1), system: .webPage,
      parameters: .faultless.with { $0.screenOffSeconds = seconds }, seed: 1)
    phone.install { Page($0, keeps: keeps) }
    phone.openApplication()
    phone.run(until: Scene.start + .seconds(600))
    #expect(phone.isApplicationExecuting == (seconds == 0 || keeps))
    // Hiding the page releases the lock.
    phone.leaveApplication()
    phone.openApplication()
    phone.run(until: Scene.start + .seconds(1200))
    #expect(phone.isApplicationExecuting == (seconds == 0))
  }
}
