import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Live updates")
struct LiveUpdateTests {
  private final class Heard: @unchecked Sendable {
    var times: [Double] = []
    var hasEnded = false
    var activity: CLBackgroundActivitySession?
  }

  private func rig(_ heard: Heard, holdsActivity: Bool) -> Rig {
    let journey = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .stand(.seconds(1200)), .go(to: Scene.place(metres: 1500), .metresPerSecond(1.5), .walking),
        .stand(.seconds(1200)), .go(to: Scene.home, .metresPerSecond(1.5), .walking),
      ])
    return Rig(journey, authorization: .authorizedWhenInUse) { app in
      if holdsActivity { heard.activity = CLBackgroundActivitySession() }
      Phone.current?.task {
        do {
          for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
            heard.times.append(Phone.current.map { ($0.now - Scene.start).seconds } ?? -1)
          }
        } catch {
          Issue.record(error)
        }
        heard.hasEnded = true
      }
    }
  }

  @Test func `with a background activity they fall silent at rest and go on by themselves`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: true)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 4300)
    #expect(heard.times.filter { (1200..<2200).contains($0) }.count > 300)
    #expect(heard.times.filter { (2300..<3390).contains($0) }.count < 5)
    #expect(heard.times.filter { (3400..<4300).contains($0) }.count > 300)
    rig.phone.forceQuit()
    rig.run(seconds: 1)
    #expect(heard.hasEnded)
  }

  @Test func `giving the background activity up ends them in the background`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: true)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 1490)
    #expect(heard.times.contains { (1450..<1500).contains($0) })
    heard.activity?.invalidate()
    rig.run(seconds: 600)
    #expect(heard.times.allSatisfy { $0 < 1520 })
  }

  @Test func `without one they end when the application is left`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: false)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 4300)
    #expect(!heard.times.isEmpty)
    #expect(heard.times.allSatisfy { $0 < 16 })
  }

  @Test func `at rest they let the satellites go, after saying once more where`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: true)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 1100)
    #expect(rig.phone.ledger.time(.satellites).seconds < 70)
    #expect(rig.phone.isApplicationExecuting)
    let before = rig.phone.ledger[.satellites]
    rig.run(seconds: 1000)
    #expect(rig.phone.ledger[.satellites] > before + 100)
  }

  @Test func `what stands in the way is named`() {
    func first(_ change: (Phone) -> Void) -> CLLocationUpdate? {
      final class Box: @unchecked Sendable { var update: CLLocationUpdate? }
      let box = Box()
      let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
      change(phone)
      phone.install { Recorder($0, journal: Journal()) { _ in } }
      phone.openApplication()
      phone.perform { phone in
        phone.task {
          var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
          box.update = try? await updates.next()
        }
      }
      phone.run(until: Scene.start + .seconds(30))
      return box.update
    }
    #expect(first { $0.setAuthorization(.denied) }?.authorizationDenied ?? false)
    #expect(first { $0.setAuthorization(.restricted) }?.authorizationRestricted ?? false)
    #expect(first { $0.setLocationServices(false) }?.authorizationDeniedGlobally ?? false)
    #expect(first { $0.setReducedAccuracy(true) }?.accuracyLimited ?? false)
    let plain = first { _ in }
    #expect(plain?.location != nil && plain?.authorizationDenied == false)
  }
}
