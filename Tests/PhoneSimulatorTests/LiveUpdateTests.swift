import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Live updates")
struct LiveUpdateTests {
  private final class Heard: @unchecked Sendable {
    var times: [Double] = []
    var hasEnded = false
    /// The times of updates that say why they are the last for now.
    var pauses: [Double] = []
    var activity: CLBackgroundActivitySession?
  }

  /// - Parameter noticed: seconds until the motion hardware notices a change.
  private func rig(
    _ heard: Heard, holdsActivity: Bool, _ status: CLAuthorizationStatus = .authorizedWhenInUse,
    noticed: Double = 0, rest: Double = 60
  ) -> Rig {
    let journey = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .stand(.seconds(1200)), .go(to: Scene.place(metres: 1500), .metresPerSecond(1.5), .walking),
        .stand(.seconds(1200)), .go(to: Scene.home, .metresPerSecond(1.5), .walking),
      ])
    let parameters = PhoneParameters.measured2019.with {
      $0.motionDelay = .constant(noticed)
      $0.liveRestSeconds = rest
    }
    return Rig(journey, parameters: parameters, authorization: status) { app in
      if holdsActivity { heard.activity = CLBackgroundActivitySession() }
      Phone.current?.task {
        do {
          for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
            let now = Phone.current.map { ($0.now - Scene.start).seconds } ?? -1
            heard.times.append(now)
            if update.isStationary { heard.pauses.append(now) }
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
    #expect(heard.pauses == [60])
    // D: the application is suspended while they are paused.
    #expect(!rig.phone.isApplicationExecuting)
    #expect(rig.phone.ledger.time(.session).seconds < 70)
    let before = rig.phone.ledger[.satellites]
    rig.run(seconds: 1000)
    #expect(rig.phone.ledger[.satellites] > before + 100)
  }

  /// A: satellites are used until the pause, and the movement is noticed no sooner than the motion hardware tells it.
  @Test(arguments: [(30.0, 60.0), (145, 600)])
  func `they go on only when the movement was noticed, and pause only after their time`(
    _ times: (noticed: Double, rest: Double)
  ) {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: false, .authorizedAlways, noticed: times.noticed, rest: times.rest)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 1180)
    #expect(heard.pauses == [times.rest])
    #expect(abs(rig.phone.ledger.time(.satellites).seconds - times.rest) < 10)
    #expect(!rig.phone.isApplicationExecuting)
    rig.run(seconds: times.noticed + 9)
    #expect(heard.times.allSatisfy { $0 <= times.rest })
    rig.run(seconds: 10)
    #expect(heard.times.contains { $0 > times.rest })
    #expect(rig.occurrences { $0 == .woken(.liveUpdate) }.count == 1)
  }

  @Test func `with When-In-Use permission alone nothing wakes a suspended application`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: false, rest: 3)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 4300)
    #expect(heard.times.allSatisfy { $0 < 16 })
    #expect(rig.occurrences { $0 == .woken(.liveUpdate) }.isEmpty)
  }

  @Test func `an application that was ended while they were paused is not started for them`() {
    let heard = Heard()
    let rig = rig(heard, holdsActivity: true, .authorizedAlways)
    rig.run(seconds: 10)
    rig.phone.leaveApplication()
    rig.run(seconds: 600)
    rig.phone.terminateIfSuspended()
    rig.run(seconds: 3600)
    #expect(heard.hasEnded)
    #expect(heard.times.allSatisfy { $0 < 100 })
    #expect(!rig.phone.isApplicationAlive)
  }

  @Test func `a cancelled task ends them`() {
    let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
    phone.install { Recorder($0, journal: Journal()) { _ in } }
    phone.openApplication()
    final class Box: @unchecked Sendable { var task: Task<Void, Never>? }
    let box = Box()
    phone.perform { phone in
      box.task = phone.task { do { for try await _ in CLLocationUpdate.liveUpdates() {} } catch {} }
    }
    phone.run(until: Scene.start + .seconds(30))
    phone.perform { _ in box.task?.cancel() }
    let before = phone.ledger[.session]
    phone.run(until: Scene.start + .seconds(300))
    #expect(phone.ledger[.session] == before)
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
