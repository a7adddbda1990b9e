import AlarmEngine
import Foundation
import Geometry
import PhoneSimulator
import Testing

@Suite("Conformance: significant changes and visits")
struct SignificantChangeConformanceTests {
  @Test func `7 - significant changes keep 300 s and 500 m apart, and come at the measured distances`() {
    var distances: [Double] = []
    for seed in 1...UInt64(12) {
      let journey = Scene.straight(stand: 1, speed: 2, metres: 60_000, standAfter: 10)
      let rig = Rig(journey, parameters: .faultless, seed: seed)
      rig.app { $0.manager.startMonitoringSignificantLocationChanges() }
      rig.phone.leaveApplication()
      rig.run(seconds: 30_000)
      let events = rig.occurrences { if case .significantChange = $0 { true } else { false } }
      for (a, b) in zip(events, events.dropFirst()) {
        #expect((b.time - a.time).seconds >= 300, "seed \(seed)")
        let way = journey.position(at: a.time).distance(to: journey.position(at: b.time)).metres
        #expect(way >= 499.9, "seed \(seed)")
        distances.append(way)
      }
    }
    distances.sort()
    // Delivery adds up to 60 s, which is 120 m at this speed; the minimum of 300 s is 600 m.
    let (half, most) = (distances[distances.count / 2], distances[distances.count * 95 / 100])
    #expect((750...850).contains(half), "median \(half)")
    #expect((2250...2850).contains(most), "95 %: \(most)")
  }

  @Test func `8 - the first significant change is the cached position`() throws {
    let rig = Rig(Scene.still(hours: 1))
    rig.app { $0.manager.startUpdatingLocation() }
    rig.run(seconds: 60)
    rig.app { $0.manager.stopUpdatingLocation() }
    let cached = try #require(rig.journal.fixes.last)
    rig.run(seconds: 60)
    rig.app { $0.manager.startMonitoringSignificantLocationChanges() }
    rig.run(seconds: 5)
    let first = try #require(rig.journal.fixes.last)
    #expect(first.time > cached.time)
    #expect(first.location.timestamp == cached.location.timestamp)
  }

  @Test func `stopping significant changes on one manager stops them for all`() {
    let rig = Rig(Scene.straight(speed: 5, metres: 20_000))
    rig.app { app in
      app.manager.startMonitoringSignificantLocationChanges()
      CLLocationManager().stopMonitoringSignificantLocationChanges()
    }
    rig.run(seconds: 3600)
    #expect(rig.journal.fixes.isEmpty)
  }

  @Test func `20 - visits use distantFuture while there and distantPast for arrivals before the start`()
    throws
  {
    let journey = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .stand(.hours(1)), .go(to: Scene.place(metres: 10_000), .metresPerSecond(5), .cycling),
        .stand(.hours(2)),
        .go(to: Scene.home, .metresPerSecond(5), .cycling), .stand(.hours(1)),
      ])
    let rig = Rig(journey)
    rig.run(seconds: 10)
    rig.app { $0.manager.startMonitoringVisits() }
    rig.phone.leaveApplication()
    rig.run(seconds: 6 * 3600)
    let visits: [CLVisit] = rig.journal.entries.compactMap { entry in
      if case .visit(let visit) = entry.callback { visit } else { nil }
    }
    #expect(visits.count == 5)
    guard visits.count == 5 else { return }
    #expect(visits[0].arrivalDate == .distantPast && visits[0].departureDate == .distantFuture)
    #expect(visits[1].arrivalDate == .distantPast && visits[1].departureDate < .distantFuture)
    #expect(visits[2].arrivalDate > .distantPast && visits[2].departureDate == .distantFuture)
    #expect(visits[3].arrivalDate == visits[2].arrivalDate && visits[3].departureDate < .distantFuture)
    #expect(visits[4].departureDate == .distantFuture)
    let data = try NSKeyedArchiver.archivedData(withRootObject: visits[3], requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLVisit.self, from: data))
    #expect(back.arrivalDate == visits[3].arrivalDate && back.departureDate == visits[3].departureDate)
    #expect(back.coordinate.latitude == visits[3].coordinate.latitude)
  }

  @Test func `visits that were stopped are not told any more`() {
    let rig = Rig(Scene.still(hours: 3))
    rig.run(seconds: 10)
    rig.app { $0.manager.startMonitoringVisits() }
    rig.app { $0.manager.stopMonitoringVisits() }
    rig.phone.leaveApplication()
    rig.run(seconds: 3 * 3600)
    #expect(!rig.journal.entries.contains { if case .visit = $0.callback { true } else { false } })
  }
}
