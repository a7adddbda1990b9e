import AlarmEngine
import Foundation
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: CLMonitor")
struct MonitorConformanceTests {
  /// The events that a monitor's listeners received; accessed on the phone's event loop only.
  private final class Heard: @unchecked Sendable {
    var events: [CLMonitor.Event] = []
    var session: CLServiceSession?
    var states: [CLMonitor.Event.State] { events.map(\.state) }
  }

  private static let zone: CLMonitor.CircularGeographicCondition = {
    let region = Scene.region()
    return CLMonitor.CircularGeographicCondition(center: region.center, radius: region.radius)
  }()

  /// An application that opens the monitor at each launch, and listens if asked to.
  private func rig(
    _ journey: Journey, heard: Heard, listens: Bool, seed: UInt64 = 1,
    parameters: PhoneParameters = .faultless, holdsSession: Bool = false
  ) -> Rig {
    Rig(journey, parameters: parameters, seed: seed) { app in
      if holdsSession { heard.session = CLServiceSession(authorization: .always) }
      let isNew = app.environment["added"] == nil
      app.environment["added"] = "yes"
      Phone.current?.task {
        let monitor = await CLMonitor("zones")
        if isNew { await monitor.add(Self.zone, identifier: "home") }
        guard listens else { return }
        do {
          for try await event in await monitor.events { heard.events.append(event) }
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test func `a condition's state is told when it is known, and at each change`() {
    let heard = Heard()
    let rig = rig(Scene.straight(speed: 10, metres: 5000), heard: heard, listens: true)
    rig.run(seconds: 30)
    #expect(heard.states == [.satisfied])
    rig.phone.leaveApplication()
    rig.run(seconds: 1000)
    #expect(heard.states == [.satisfied, .unsatisfied])
  }

  @Test func `19 - an event nobody awaits stops its condition`() {
    let heard = Heard()
    let rig = rig(Scene.straight(stand: 600, speed: 10, metres: 5000), heard: heard, listens: false)
    rig.phone.leaveApplication()
    rig.run(seconds: 2000)
    let removed = rig.occurrences { $0 == .regionRemoved("zones/home") }
    #expect(removed.count == 1)
    #expect(rig.occurrences { if case .exited = $0 { true } else { false } }.isEmpty)
  }

  @Test func `19 - a relaunch tells the present state again`() {
    let heard = Heard()
    let rig = rig(Scene.straight(stand: 600, speed: 10, metres: 5000), heard: heard, listens: true)
    rig.run(seconds: 30)
    rig.phone.leaveApplication()
    rig.run(seconds: 60)
    rig.phone.terminateIfSuspended()
    rig.run(seconds: 10)
    #expect(heard.states == [.satisfied])
    rig.run(seconds: 2000)
    #expect(rig.journal.launches == 2)
    #expect(
      heard.states == [.satisfied, .satisfied, .unsatisfied]
        || heard.states == [.satisfied, .unsatisfied, .unsatisfied])
  }

  @Test func `19 - opening a name twice in a process traps`() async {
    await #expect(processExitsWith: .failure) {
      let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
      let journal = Journal()
      phone.install { Recorder($0, journal: journal) { _ in } }
      phone.openApplication()
      phone.perform { phone in
        phone.task {
          let first = await CLMonitor("zones")
          let second = await CLMonitor("zones")
          _ = (first, second)
        }
      }
    }
  }

  @Test func `19 - beyond the limit a condition is unmonitored until there is room`() {
    let heard = Heard()
    let rig = Rig(Scene.still(hours: 1), parameters: .faultless) { app in
      Phone.current?.task {
        let monitor = await CLMonitor("zones")
        for n in 10..<31 { await monitor.add(Self.zone, identifier: "z\(n)") }
        Phone.current?.task {
          do {
            for try await event in await monitor.events { heard.events.append(event) }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    rig.run(seconds: 30)
    let over = heard.events.filter { $0.state == .unmonitored }
    #expect(over.map(\.identifier) == ["z30"])
    #expect(over.allSatisfy { $0.conditionLimitExceeded })
    #expect(heard.states.filter { $0 == .satisfied }.count == 20)
  }

  @Test(arguments: [true, false])
  func `where it is asked for, only a service session lets events through in the background`(holds: Bool) {
    let heard = Heard()
    let rig = rig(
      Scene.straight(stand: 600, speed: 10, metres: 5000), heard: heard, listens: true,
      parameters: .faultless.with { $0.monitorNeedsServiceSession = 1 }, holdsSession: holds)
    rig.run(seconds: 30)
    rig.phone.leaveApplication()
    rig.run(seconds: 2000)
    #expect(heard.states == (holds ? [.satisfied, .unsatisfied] : [.satisfied]))
  }

  @Test func `a service session that was given up lets no events through in the background`() {
    let heard = Heard()
    let rig = rig(
      Scene.straight(stand: 600, speed: 10, metres: 5000), heard: heard, listens: true,
      parameters: .faultless.with { $0.monitorNeedsServiceSession = 1 }, holdsSession: true)
    rig.run(seconds: 30)
    rig.app { _ in heard.session?.invalidate() }
    rig.phone.leaveApplication()
    rig.run(seconds: 2000)
    #expect(heard.states == [.satisfied])
  }

  @Test(arguments: [0.0, 1])
  func `conditions may be dead after a restart`(_ dead: Double) {
    let heard = Heard()
    let rig = rig(
      Scene.straight(stand: 3000, speed: 10, metres: 5000), heard: heard, listens: true,
      parameters: .faultless.with { $0.monitorDeadAfterReboot = dead })
    rig.run(seconds: 30)
    rig.phone.reboot()
    rig.run(seconds: 5000)
    #expect(heard.states.contains(.unsatisfied) == (dead == 0))
  }

  @Test(arguments: [0.0, 1])
  func `entries may wait until the application is opened`(_ holds: Double) {
    let journey = Journey(
      from: Scene.place(metres: 3000), at: Scene.start,
      legs: [
        .stand(.seconds(600)), .go(to: Scene.home, .metresPerSecond(10), .vehicle), .stand(.hours(1)),
      ])
    let heard = Heard()
    let rig = rig(
      journey, heard: heard, listens: true, parameters: .faultless.with { $0.monitorHoldsEntries = holds })
    rig.run(seconds: 30)
    rig.phone.leaveApplication()
    rig.run(seconds: 60)
    rig.phone.terminateIfSuspended()
    rig.run(seconds: 2500)
    #expect(rig.journal.launches == 2)
    #expect(heard.states.contains(.satisfied) == (holds == 0))
    rig.phone.openApplication()
    rig.run(seconds: 5)
    #expect(heard.states.contains(.satisfied))
  }

  @Test func `what is not monitored says why`() {
    func obstacle(_ change: (Phone) -> Void, beacon: Bool = false) -> CLMonitor.Event? {
      let heard = Heard()
      let phone = Phone(journey: Scene.still(hours: 1), parameters: .faultless, seed: 1)
      change(phone)
      phone.install { Recorder($0, journal: Journal()) { _ in } }
      phone.openApplication()
      phone.perform { phone in
        phone.task {
          let monitor = await CLMonitor("zones")
          let condition: any CLCondition =
            beacon ? CLMonitor.BeaconIdentityCondition(uuid: UUID()) : Self.zone
          await monitor.add(condition, identifier: "c")
          var events = await monitor.events.makeAsyncIterator()
          if let event = try? await events.next() { heard.events.append(event) }
        }
      }
      phone.run(until: Scene.start + .seconds(30))
      return heard.events.first { $0.state == .unmonitored }
    }
    #expect(obstacle { $0.setAuthorization(.denied) }?.authorizationDenied ?? false)
    #expect(obstacle { $0.setLocationServices(false) }?.authorizationDeniedGlobally ?? false)
    #expect(obstacle { $0.setReducedAccuracy(true) }?.accuracyLimited ?? false)
    #expect(obstacle({ _ in }, beacon: true)?.conditionUnsupported ?? false)
    #expect(obstacle { _ in } == nil)
  }
}
