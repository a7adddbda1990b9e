import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Hosts other than iOS")
struct HostTests {
  private final class AndroidApp: GeofenceReceiver {
    let environment: ApplicationEnvironment
    let heard: Heard
    init(_ launch: Launch, heard: Heard) {
      environment = launch.environment
      self.heard = heard
      heard.app = self
      heard.launches += 1
    }
    func geofence(_ id: String, did transition: Geofence.Transitions) {
      heard.transitions.append((environment.now, id, transition))
    }
  }

  private final class Heard {
    weak var app: AndroidApp?
    var launches = 0
    var transitions: [(time: Instant, id: String, transition: Geofence.Transitions)] = []
    var fixes: [(time: Instant, fix: Fix)] = []
  }

  private func android(
    _ journey: Journey, seed: UInt64 = 1, parameters: PhoneParameters = .faultless
  ) -> (Phone, Heard) {
    let phone = Phone(journey: journey, system: .android(api: 34), parameters: parameters, seed: seed)
    let heard = Heard()
    phone.install { AndroidApp($0, heard: heard) }
    phone.openApplication()
    return (phone, heard)
  }

  private func fence(_ id: String = "f", metres: Double = 0) -> Geofence {
    Geofence(
      requestID: id, centre: Scene.place(metres: metres), radius: .metres(150),
      transitions: [.enter, .exit, .dwell], loiteringDelay: .seconds(120))
  }

  @Test func `a geofence fires at once for a phone inside it, dwells, and exits late`() throws {
    let (phone, heard) = android(Scene.straight(stand: 600, speed: 10, metres: 9000))
    try heard.app?.environment.addGeofences([fence()])
    phone.leaveApplication()
    phone.run(until: Scene.start + .seconds(2000))
    #expect(heard.transitions.map(\.transition) == [.enter, .dwell, .exit])
    let exit = try #require(heard.transitions.last)
    #expect((5...700).contains((exit.time - Scene.start).seconds - 615))
  }

  @Test func `the 101st geofence is refused with what is allowed`() throws {
    let (phone, heard) = android(Scene.still(hours: 1))
    try heard.app?.environment.addGeofences((0..<100).map { fence("f\($0)", metres: Double($0) * 500) })
    #expect(throws: GeofencingError.tooManyGeofences(given: 101, allowed: 100)) {
      try heard.app?.environment.addGeofences([fence("more")])
    }
    #expect(phone.ledger[.monitoring] == 0)
    phone.run(until: Scene.start + .hours(1))
    #expect(phone.ledger[.monitoring] > 0)
  }

  @Test func `a reboot drops all geofences`() throws {
    let (phone, heard) = android(Scene.straight(stand: 600, speed: 10, metres: 9000))
    try heard.app?.environment.addGeofences([fence()])
    phone.reboot()
    phone.run(until: Scene.start + .hours(1))
    #expect(heard.transitions.isEmpty)
  }

  @Test func `a foreground service keeps fixes and timers going in the background`() {
    let (phone, heard) = android(Scene.straight(stand: 10, speed: 2, metres: 4000))
    var ticks = 0
    var updates: LocationUpdates?
    if let environment = heard.app?.environment {
      environment.startForegroundService()
      updates = environment.requestLocationUpdates(.highAccuracy, interval: .seconds(30)) { fix in
        heard.fixes.append((environment.now, fix))
      }
      environment.after(.seconds(1500)) { ticks += 1 }
    }
    phone.leaveApplication()
    phone.run(until: Scene.start + .seconds(1800))
    #expect(ticks == 1)
    #expect((40...70).contains(heard.fixes.count))
    #expect(zip(heard.fixes, heard.fixes.dropFirst(2)).allSatisfy { ($1.time - $0.time).seconds >= 30 })
    updates?.cancel()
  }

  @Test func `a service without a session costs its timers and no more`() {
    let (phone, heard) = android(Scene.still(hours: 10))
    heard.app?.environment.startForegroundService()
    var ticks = 0
    func tick() {
      heard.app?.environment.after(.minutes(10)) {
        ticks += 1
        tick()
      }
    }
    tick()
    phone.leaveApplication()
    phone.run(until: Scene.start + .hours(10))
    #expect(ticks == 60)
    #expect(phone.ledger.count(.wake) == 60)
    // Five seconds after leaving the foreground.
    #expect(phone.ledger.time(.processor).seconds == 5)
  }

  @Test func `an exact alarm wakes a suspended application`() {
    let (phone, heard) = android(Scene.still(hours: 2))
    var woken: Instant?
    heard.app?.environment.setExactAlarm(id: "next", after: .seconds(3000)) { woken = phone.now }
    phone.leaveApplication()
    phone.run(until: Scene.start + .hours(2))
    #expect(woken == Scene.start + .seconds(3000))
    #expect(phone.ledger.count(.wake) == 1)
  }

  @Test func `the end of a foreground service lets the application sleep`() throws {
    let (phone, heard) = android(Scene.still(hours: 1))
    let environment = try #require(heard.app?.environment)
    environment.startForegroundService()
    phone.leaveApplication()
    phone.run(until: Scene.start + .seconds(600))
    #expect(phone.isApplicationExecuting)
    environment.stopForegroundService()
    phone.run(until: Scene.start + .seconds(700))
    #expect(!phone.isApplicationExecuting)
  }

  @Test func `the current location comes once, and cancelled updates come no more`() throws {
    let (phone, heard) = android(Scene.straight(stand: 10, speed: 2, metres: 4000))
    let environment = try #require(heard.app?.environment)
    var single: [Fix?] = []
    environment.currentLocation(.highAccuracy, timeout: .seconds(60)) { single.append($0) }
    let updates = environment.requestLocationUpdates(.highAccuracy, interval: .seconds(5)) { fix in
      heard.fixes.append((environment.now, fix))
    }
    phone.run(until: Scene.start + .seconds(300))
    #expect(single.count == 1 && single.compactMap { $0 }.count == 1)
    let count = heard.fixes.count
    #expect(count > 20)
    updates.cancel()
    phone.run(until: Scene.start + .seconds(600))
    #expect(heard.fixes.count == count)
  }

  private final class Page: PhoneApplication {
    let environment: ApplicationEnvironment
    let heard: Heard
    var watch: LocationUpdates?
    init(_ launch: Launch, heard: Heard) {
      environment = launch.environment
      self.heard = heard
      watch = environment.watchPosition(PositionOptions(enableHighAccuracy: true)) { [environment] result in
        if case .success(let fix) = result { heard.fixes.append((environment.now, fix)) }
      }
    }
  }

  @Test func `a web page gets positions while it is visible and none while it is hidden`() {
    let phone = Phone(
      journey: Scene.straight(stand: 1, speed: 2, metres: 4000), system: .webPage, seed: 1)
    let heard = Heard()
    phone.install { Page($0, heard: heard) }
    phone.openApplication()
    phone.run(until: Scene.start + .seconds(300))
    phone.leaveApplication()
    phone.run(until: Scene.start + .seconds(900))
    phone.openApplication()
    phone.run(until: Scene.start + .seconds(1200))
    let seconds = heard.fixes.map { ($0.time - Scene.start).seconds }
    #expect(seconds.filter { $0 < 300 }.count > 50)
    #expect(seconds.filter { $0 > 300 && $0 < 900 }.isEmpty)
    #expect(seconds.filter { $0 > 900 }.count > 50)
  }
}
