import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Android")
struct AndroidTests {
  private final class App: GeofenceReceiver {
    let environment: ApplicationEnvironment
    let heard: Heard
    init(_ launch: Launch, heard: Heard) {
      environment = launch.environment
      self.heard = heard
      heard.app = self
    }
    func geofence(_ id: String, did transition: Geofence.Transitions) {
      heard.transitions.append((environment.now, transition))
    }
  }
  private final class Heard {
    weak var app: App?
    var transitions: [(time: Instant, transition: Geofence.Transitions)] = []
    var fixes: [Instant] = []
    var environment: ApplicationEnvironment? { app?.environment }
    func seconds(_ times: [Instant]) -> [Double] { times.map { ($0 - Scene.start).seconds } }
  }

  private func phone(
    _ journey: Journey, api: Int = 34, parameters: PhoneParameters = .faultless, seed: UInt64 = 1
  ) -> (Phone, Heard) {
    let phone = Phone(journey: journey, system: .android(api: api), parameters: parameters, seed: seed)
    let heard = Heard()
    phone.install { App($0, heard: heard) }
    phone.openApplication()
    return (phone, heard)
  }

  private func fence(_ id: String = "f", responsiveness: TimeSpan = .zero) -> Geofence {
    Geofence(
      requestID: id, centre: Scene.home, radius: .metres(150), transitions: [.exit],
      responsiveness: responsiveness)
  }

  @Test func `the sixth pending intent is refused`() throws {
    let (phone, heard) = phone(Scene.still(hours: 1))
    defer { _ = phone.now }
    for number in 1...5 {
      try heard.environment?.addGeofences([fence("f\(number)")], intent: "i\(number)")
    }
    #expect(throws: GeofencingError.tooManyPendingIntents(given: 6, allowed: 5)) {
      try heard.environment?.addGeofences([fence()], intent: "i6")
    }
    try heard.environment?.addGeofences([fence()], intent: "i5")
  }

  @Test func `too many requests in a minute are refused, later ones are not`() throws {
    let (phone, heard) = phone(
      Scene.still(hours: 1), parameters: .faultless.with { $0.geofenceRequestsPerMinute = 10 })
    for _ in 1...10 { try heard.environment?.addGeofences([fence()]) }
    #expect(throws: GeofencingError.requestTooFrequent(given: 11, allowed: 10)) {
      try heard.environment?.addGeofences([fence()])
    }
    phone.run(until: Scene.start + .seconds(61))
    try heard.environment?.addGeofences([fence()])
  }

  @Test func `geofences need precise positions, and go when those do`() throws {
    let (phone, heard) = phone(Scene.still(hours: 1))
    try heard.environment?.addGeofences([fence()])
    phone.setReducedAccuracy(true)
    #expect(heard.environment?.geofenceIDs.isEmpty ?? false)
    #expect(throws: GeofencingError.insufficientPermission) {
      try heard.environment?.addGeofences([fence()])
    }
  }

  @Test func `on other systems geofences are not available`() {
    let phone = Phone(journey: Scene.still(hours: 1), seed: 1)
    let heard = Heard()
    phone.install { App($0, heard: heard) }
    phone.openApplication()
    #expect(throws: GeofencingError.notAvailable) { try heard.environment?.addGeofences([fence()]) }
  }

  @Test func `a fence that may take its time is told later`() throws {
    func delays(_ responsiveness: TimeSpan) throws -> [Double] {
      try (1...UInt64(30)).compactMap { seed in
        let (phone, heard) = phone(Scene.straight(stand: 10, speed: 10, metres: 12_000), seed: seed)
        try heard.environment?.addGeofences([fence(responsiveness: responsiveness)])
        phone.leaveApplication()
        phone.run(until: Scene.start + .seconds(1400))
        return heard.transitions.first.map { ($0.time - Scene.start).seconds - 25 }
      }
    }
    let (soon, late) = (try delays(.zero), try delays(.minutes(10)))
    #expect(soon.count == 30 && late.count >= 25)
    let mean = { (values: [Double]) in values.reduce(0, +) / Double(values.count) }
    #expect((200...400).contains(mean(late) - mean(soon)))
  }

  @Test func `with Wi-Fi off some transitions never come`() throws {
    var told = 0
    for seed in 1...UInt64(100) {
      let (phone, heard) = phone(Scene.straight(stand: 10, speed: 20, metres: 40_000), seed: seed)
      phone.conditions.wifi = false
      try heard.environment?.addGeofences([fence()])
      phone.run(until: Scene.start + .seconds(2000))
      told += heard.transitions.count
    }
    // 30 % of 100, within three standard deviations.
    #expect((56...84).contains(told), "\(told)")
  }

  @Test(arguments: [(34, 3.0), (34, 6), (25, 3)])
  func `in the background positions come a few times an hour from Android 8 on`(_ api: Int, _ rate: Double) {
    let (phone, heard) = phone(
      Scene.straight(stand: 10, speed: 1, metres: 20_000), api: api,
      parameters: .faultless.with { $0.backgroundFixesPerHour = rate })
    let updates = heard.environment?.requestLocationUpdates(.highAccuracy, interval: .seconds(10)) { _ in
      heard.fixes.append(phone.now)
    }
    phone.leaveApplication()
    phone.run(until: Scene.start + .minutes(10))
    let before = heard.fixes.count
    phone.run(until: Scene.start + .minutes(190))
    let anHour = Double(heard.fixes.count - before) / 3
    if api >= 26 {
      #expect(abs(anHour - rate) <= 1, "\(anHour)")
      #expect(phone.ledger.time(.satellites).seconds < 120)
    } else {
      #expect(anHour > 100)
    }
    phone.openApplication()
    let since = heard.fixes.count
    phone.run(until: phone.now + .minutes(2))
    #expect(heard.fixes.count > since + 5)
    updates?.cancel()
  }

  @Test func `a dozing phone gives positions only in its windows, and holds alarms apart`() {
    var rings: [Double] = []
    let (phone, heard) = phone(Scene.still(hours: 12))
    let updates = heard.environment?.requestLocationUpdates(.balanced, interval: .seconds(10)) { _ in
      heard.fixes.append(phone.now)
    }
    func plan(_ number: Int) {
      heard.environment?.setExactAlarm(id: "a", after: .seconds(60)) {
        rings.append((phone.now - Scene.start).seconds)
        if number < 100 { plan(number + 1) }
      }
    }
    plan(1)
    phone.leaveApplication()
    phone.run(until: Scene.start + .hours(12))
    let awake = rings.filter { $0 < 3600 }
    let dozing = rings.filter { $0 > 3700 }
    #expect(zip(awake, awake.dropFirst()).allSatisfy { $1 - $0 < 61 })
    #expect(dozing.count > 20)
    #expect(zip(dozing, dozing.dropFirst()).allSatisfy { $1 - $0 >= 540 })
    updates?.cancel()
  }

  @Test func `positions of a dozing phone are an hour apart`() {
    let (phone, heard) = phone(Scene.still(hours: 12))
    let updates = heard.environment?.requestLocationUpdates(.balanced, interval: .seconds(10)) { _ in
      heard.fixes.append(phone.now)
    }
    phone.leaveApplication()
    phone.run(until: Scene.start + .hours(12))
    let seconds = heard.seconds(heard.fixes).filter { $0 > 6000 }
    #expect(seconds.count >= 8)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 >= 3600 })
    updates?.cancel()
  }

  @Test func `a passive client hears what others ask for and costs nothing`() {
    let (phone, heard) = phone(Scene.straight(stand: 10, speed: 2, metres: 4000))
    let passive = heard.environment?.requestLocationUpdates(.passive, interval: .seconds(1)) { _ in
      heard.fixes.append(phone.now)
    }
    phone.run(until: Scene.start + .seconds(300))
    #expect(heard.fixes.isEmpty && phone.ledger.marginal == 0)
    let active = heard.environment?.requestLocationUpdates(.highAccuracy, interval: .seconds(1)) { _ in }
    phone.run(until: Scene.start + .seconds(600))
    #expect(heard.fixes.count > 50)
    active?.cancel()
    passive?.cancel()
  }

  @Test func `an approximate position is two kilometres wide`() {
    let (phone, heard) = phone(Scene.straight(stand: 10, speed: 2, metres: 4000))
    phone.setReducedAccuracy(true)
    var accuracies: [Fix.Accuracy] = []
    let updates = heard.environment?.requestLocationUpdates(.highAccuracy, interval: .seconds(1)) {
      accuracies.append($0.accuracy)
    }
    phone.run(until: Scene.start + .seconds(2000))
    #expect(!accuracies.isEmpty && accuracies.allSatisfy { $0 == .radius(.metres(2000)) })
    updates?.cancel()
  }
}
