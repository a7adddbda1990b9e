import AlarmEngine
import CoreLocationWatch
import Geometry
import PhoneHost
import PhoneSimulator
import TestSupport
import Testing

@Suite("The engine on a phone's location manager")
struct LocationWatchTests {
  private let start = Instant(millisecondsSince1970: 1_750_000_000_000)
  private let origin = Coordinate(latitude: .degrees(48.1), longitude: .degrees(11.5))

  private func place(_ metresEast: Double) -> Coordinate {
    Geodesic.destination(from: origin, azimuth: .degrees(90), distance: .metres(metresEast))
  }

  private func walk(_ metres: Double, standing seconds: Double = 60, speed: Double = 1.4) -> Journey {
    Journey(
      from: origin, at: start,
      legs: [
        .stand(.seconds(seconds)),
        .go(to: place(metres), .metresPerSecond(speed), speed > 3 ? .vehicle : .walking),
        .stand(.minutes(10)),
      ])
  }

  private func record(zoneAt metres: Double, radius: Double) -> TrialRecord {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 7), name: "there", size: .metres(radius), outline: .locations([place(metres)]))
    return TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone]))
  }

  @Test func `a walk into a zone rings once, near its edge, with the phone locked`() throws {
    let journey = walk(600)
    let record = record(zoneAt: 600, radius: 100)
    let phone = Phone(journey: journey, parameters: .ideal, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: journey.end)
    try #require(record.alarms.count == 1)
    let entry = start + .seconds(60 + 500 / 1.4)
    #expect(abs((record.alarms[0].raisedAt - entry).seconds) < 15)
    #expect(record.alarms[0].zone == ZoneID(rawValue: 7))
  }

  @Test func `a suspended application is woken by its fence and rings in time`() throws {
    let journey = walk(40_000, standing: 3600, speed: 20)
    let record = record(zoneAt: 40_000, radius: 300)
    let phone = Phone(journey: journey, seed: 3)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: start + .seconds(3000))
    #expect(!phone.isApplicationExecuting)
    phone.run(until: journey.end)
    let causes = phone.log.compactMap { entry -> Occurrence.Cause? in
      if case .woken(let cause) = entry.occurrence { cause } else { nil }
    }
    #expect(!causes.isEmpty)
    try #require(record.alarms.count == 1)
    let entry = start + .seconds(3600 + 39_700 / 20)
    #expect((-60.0...60).contains((record.alarms[0].raisedAt - entry).seconds))
  }

  /// The phone's clock is set while it is awake near the zone, and while it is suspended far from it.
  @Test(arguments: [-7200.0, -15, 7200], [1500.0, 3500])
  func `an iPhone whose clock is set rings in time, and warns of no silence`(
    by seconds: Double, after time: Double
  )
    throws
  {
    let journey = walk(40_000, standing: 3600, speed: 20)
    let record = record(zoneAt: 40_000, radius: 300)
    let phone = Phone(journey: journey, seed: 3)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.at(start + .seconds(time)) { $0.clockError = .seconds(seconds) }
    phone.run(until: journey.end)
    try #require(record.alarms.count == 1)
    let entry = start + .seconds(3600 + 39_700 / 20)
    let raised = record.alarms[0].raisedAt - .seconds(seconds)
    #expect((-60.0...60).contains((raised - entry).seconds), "\((raised - entry).seconds) s after the entry")
  }

  @Test func `a clock that was set back while no application ran is noticed at its next start`() {
    let journey = walk(600)
    let record = record(zoneAt: 600, radius: 100)
    record.timeline.advance(to: start + .hours(3))
    let phone = Phone(journey: journey, parameters: .ideal, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: journey.end)
    #expect(record.alarms.count == 1)
  }

  @Test func `an application without a clock that nobody sets is told of the jump by its owner`() throws {
    let record = record(zoneAt: 600, radius: 100)
    let phone = Phone(journey: walk(600), parameters: .ideal, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    var now = start + .hours(2)
    phone.perform { _ in
      let watch = LocationWatch(
        host: PhoneHost(beginning: record.timeline, policy: AnyWatch(CertifiedWatch())),
        services: PhoneServices(now: { now }, after: { _, _ in {} }, keep: { _ in }))
      watch.perform(.activate)
      now = start
      watch.clockJumped(by: .hours(-2))
      #expect(watch.timeline.lastClockJump == ClockJump(at: start, by: .hours(-2)))
      #expect(watch.timeline.through == start)
    }
  }

  @Test func `changed conditions are told to the policy until the watch is stopped`() {
    let record = record(zoneAt: 600, radius: 100)
    let phone = Phone(journey: walk(600), parameters: .ideal, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    let journal = SceneJournal()
    var battery = Capabilities.Battery.full
    phone.perform { _ in
      let watch = LocationWatch(
        host: PhoneHost(
          beginning: record.timeline, policy: AnyWatch(JournaledWatch(CertifiedWatch(), in: journal))),
        services: PhoneServices(now: { start }, after: { _, _ in {} }, keep: { _ in }, battery: { battery }))
      watch.start(.person)
      let before = journal.entries.count
      watch.conditionsChanged()
      #expect(journal.entries.count == before)
      battery = .low
      watch.conditionsChanged()
      #expect(journal.entries.count == before + 1)
      watch.stop()
      #expect(journal.entries.last?.event == .stopped)
      battery = .full
      watch.conditionsChanged()
      watch.cameToForeground()
      #expect(journal.entries.last?.event == .stopped)
    }
  }

  /// Two hours of rest 60 m from a zone's edge, with fences that are reported a quarter of an hour late.
  private func rest(then speed: Double, untold seconds: Double, iOS version: IOSVersion) -> (
    lateness: Double?, wasSuspended: Bool, woken: Int
  ) {
    let journey = Journey(
      from: origin, at: start,
      legs: [
        .go(to: place(-200), .metresPerSecond(1.4), .walking),
        .go(to: origin, .metresPerSecond(1.4), .walking), .stand(.hours(2)),
        .go(to: place(400), .metresPerSecond(speed), speed > 3 ? .vehicle : .walking),
        .stand(.minutes(15)),
      ])
    let zone = Zone.valid(
      id: ZoneID(rawValue: 7), name: "there", size: .metres(340), outline: .locations([place(400)]))
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone]))
    let parameters = PhoneParameters.ideal.with {
      $0.exitLatency = .constant(900)
      $0.entryLatency = .constant(900)
      $0.motionDelay = .constant(seconds)
    }
    let phone = Phone(journey: journey, system: .iOS(version), parameters: parameters, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    let departure = start + .seconds(400 / 1.4 + 7200)
    phone.run(until: departure)
    let wasSuspended = !phone.isApplicationExecuting
    phone.run(until: journey.end)
    let entry = departure + .seconds(60 / speed)
    let alarm = record.alarms.first { $0.raisedAt > departure }
    let woken = phone.log.entries.count { $0.occurrence == .woken(.liveUpdate) }
    return (alarm.map { ($0.raisedAt - entry).seconds }, wasSuspended, woken)
  }

  @Test(arguments: [(1.2, 5.0), (1.2, 30), (1.2, 90), (10, 5), (10, 30)])
  func `an iPhone parked beside a zone that sets off into it rings within two minutes of the entry`(
    at pace: (speed: Double, untold: Double)
  ) throws {
    let (lateness, wasSuspended, woken) = rest(then: pace.speed, untold: pace.untold, iOS: 18)
    #expect(wasSuspended)
    #expect(woken == 1)
    #expect(try #require(lateness) <= 120)
  }

  @Test func `before iOS 17 such an iPhone is woken by its fences, as late as they are`() {
    let (lateness, wasSuspended, woken) = rest(then: 1.2, untold: 5, iOS: 16)
    #expect(wasSuspended)
    #expect(woken == 0)
    #expect(lateness.map { $0 > 120 } ?? true)
  }

  @Test func `an application ended by the system rings after its relaunch, and only once`() {
    let journey = walk(40_000, standing: 3600, speed: 20)
    let record = record(zoneAt: 40_000, radius: 300)
    let phone = Phone(journey: journey, seed: 4)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: start + .seconds(3000))
    phone.terminateIfSuspended()
    #expect(!phone.isApplicationAlive)
    phone.run(until: journey.end)
    #expect(record.alarms.count == 1)
  }

  @Test func `fences of other parts of the application are left alone, and old ones of the watch go`() {
    let journey = walk(40_000, standing: 3600, speed: 20)
    let record = record(zoneAt: 40_000, radius: 300)
    let phone = Phone(journey: journey, seed: 5)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.perform { _ in
      let other = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.1, longitude: 11.5), radius: 5000, identifier: "other")
      CLLocationManager().startMonitoring(for: other)
    }
    phone.run(until: journey.end)
    let removed = phone.log.compactMap { entry -> String? in
      if case .regionRemoved(let id) = entry.occurrence { id } else { nil }
    }
    #expect(!removed.contains("other"))
  }

  private func notified(_ phone: Phone, _ title: String) -> [Instant] {
    phone.log.compactMap { entry in entry.occurrence == .notified(title) ? entry.time : nil }
  }

  @Test func `after a force quit under iOS 26 the phone itself says that the alarm clock sleeps, else never`()
  {
    let journey = walk(600, standing: 3600)
    let record = record(zoneAt: 5000, radius: 100)
    func phone(_ version: IOSVersion) -> Phone {
      let phone = Phone(journey: journey, system: .iOS(version), parameters: .ideal, seed: 1)
      phone.watch(keeping: record) { CertifiedWatch() }
      return phone
    }
    let ended = phone(26)
    ended.run(until: start + .seconds(60))
    ended.forceQuit()
    ended.run(until: start + .hours(14))
    #expect(notified(ended, "asleep").count == 1)
    let alive = phone(26)
    alive.run(until: journey.end)
    #expect(notified(alive, "asleep").isEmpty)
  }

  @Test func `positions of the session that only keeps it awake ring nothing`() {
    let journey = walk(1500, standing: 1200)
    // The cells' circles of half a kilometre and more always overlap the zone.
    let record = record(zoneAt: -700, radius: 100)
    let phone = Phone(journey: journey, seed: 2)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: journey.end)
    #expect(record.alarms.isEmpty)
  }

  @Test func `without permission nothing is asked of the phone and nothing rings`() {
    let journey = walk(600)
    let record = record(zoneAt: 600, radius: 100)
    let phone = Phone(journey: journey, seed: 1, authorization: .denied)
    phone.watch(keeping: record) { CertifiedWatch() }
    phone.run(until: journey.end)
    #expect(record.alarms.isEmpty)
    let shown = record.shown?(phone.now)?.first { $0.zone == ZoneID(rawValue: 7) }
    #expect(shown?.guarantee == .notWatched(.notAuthorized))
  }

  @Test func `the same seed gives the same log`() {
    func log() -> [UInt8] {
      let journey = walk(600)
      let phone = Phone(journey: journey, seed: 9)
      phone.watch(keeping: record(zoneAt: 600, radius: 100)) { CertifiedWatch() }
      phone.run(until: journey.end)
      return phone.log.bytes
    }
    #expect(log() == log())
  }

  @Test func `a region that will only be told of late is not taken for a refused one`() {
    /// Sets one fence, and records the events that it gets.
    struct Layer: WatchDecisions {
      final class Heard: @unchecked Sendable { var events: [WatchEvent] = [] }
      let heard = Heard()
      let fence: Fence
      var reason: WatchReason { WatchReason(.notStarted) }
      mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
        heard.events.append(event)
        if case .started = event { return [.fences([fence])] }
        return []
      }
      func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
        .bestEffort(.policyHasNoBound)
      }
    }
    func failures(wifi: Bool, allowed: Bool) -> Int {
      let phone = Phone(journey: walk(600), seed: 1)
      phone.conditions.wifi = wifi
      phone.setReducedAccuracy(!allowed)
      let layer = Layer(fence: Fence(id: .movement, center: origin, radius: .metres(200)))
      phone.watch(keeping: record(zoneAt: 600, radius: 100)) { layer }
      phone.run(until: start + .seconds(30))
      return layer.heard.events.count { $0 == .fenceFailed(.movement) }
    }
    #expect(failures(wifi: false, allowed: true) == 0)
    #expect(failures(wifi: true, allowed: false) == 1)
  }

  @Test func `the edition of the page's data is kept once for each change`() throws {
    let record = record(zoneAt: 600, radius: 100)
    let phone = Phone(journey: walk(600), parameters: .ideal, seed: 1)
    phone.watch(keeping: record) { CertifiedWatch() }
    var kept = 0
    phone.perform { _ in
      let watch = LocationWatch(
        host: PhoneHost(beginning: record.timeline, policy: AnyWatch(CertifiedWatch())),
        services: PhoneServices(now: { start }, after: { _, _ in {} }, keep: { _ in kept += 1 }))
      watch.edition(4)
      #expect(watch.host.kept.edition == 4)
      let before = kept
      watch.edition(4)
      #expect(kept == before)
    }
  }
}
