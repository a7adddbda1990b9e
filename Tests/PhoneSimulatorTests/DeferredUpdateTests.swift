import AlarmEngine
import Foundation
import Geometry
import PhoneSimulator
import Testing

@Suite("Deferred updates")
struct DeferredUpdateTests {
  /// Records fixes batch by batch.
  private final class Batches: NSObject, PhoneApplication, CLLocationManagerDelegate {
    let manager = CLLocationManager()
    let heard: Heard
    final class Heard {
      var batches: [(time: Instant, locations: [CLLocation])] = []
      var endings: [CLError.Code?] = []
      weak var app: Batches?
    }
    private let environment: ApplicationEnvironment

    init(_ launch: Launch, heard: Heard) {
      self.heard = heard
      environment = launch.environment
      super.init()
      heard.app = self
      manager.delegate = self
      manager.pausesLocationUpdatesAutomatically = false
      manager.allowsBackgroundLocationUpdates = true
    }
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      heard.batches.append((environment.now, locations))
    }
    func locationManager(
      _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) { heard.endings.append(error.map { ($0 as? CLError)?.code ?? .deferredFailed }) }
  }

  private func phone(_ version: IOSVersion = 12) -> (Phone, Batches.Heard) {
    let phone = Phone(
      journey: Scene.straight(stand: 1, speed: 2, metres: 20_000), system: .iOS(version),
      parameters: .ideal, seed: 1)
    let heard = Batches.Heard()
    phone.install { Batches($0, heard: heard) }
    phone.openApplication()
    return (phone, heard)
  }

  private func wait(_ phone: Phone, _ seconds: Double) { phone.run(until: phone.now + .seconds(seconds)) }

  @Test func `on iOS 12 fixes in the background come together, oldest first, after the way or the time`()
    throws
  {
    let (phone, heard) = phone()
    phone.perform { _ in heard.app?.manager.startUpdatingLocation() }
    wait(phone, 120)
    phone.leaveApplication()
    phone.perform { _ in
      #expect(CLLocationManager.deferredLocationUpdatesAvailable())
      heard.app?.manager.allowDeferredLocationUpdates(untilTraveled: 400, timeout: 1000)
    }
    let before = heard.batches.count
    wait(phone, 190)
    #expect(heard.batches.count == before)
    wait(phone, 20)
    let batch = try #require(heard.batches.dropFirst(before).first)
    #expect(batch.locations.count > 150)
    #expect(zip(batch.locations, batch.locations.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    #expect(batch.locations.first.flatMap { first in batch.locations.last?.distance(from: first) } ?? 0 > 380)
    #expect(heard.endings == [nil])
    // Ended by time, and then live again.
    phone.perform { _ in heard.app?.manager.allowDeferredLocationUpdates(untilTraveled: 1e9, timeout: 60) }
    let since = heard.batches.count
    wait(phone, 59)
    #expect(heard.batches.count == since)
    wait(phone, 30)
    #expect(heard.batches.count > since + 10)
    #expect(heard.endings == [nil, nil])
  }

  @Test func `deferring saves its share of the session's power, and only in the background`() {
    func joules(defers: Bool, inBackground: Bool = true, asksFirst: Bool = false) -> Double {
      let (phone, heard) = phone()
      phone.perform { _ in heard.app?.manager.startUpdatingLocation() }
      wait(phone, 120)
      func allow() {
        phone.perform { _ in
          heard.app?.manager.allowDeferredLocationUpdates(untilTraveled: 1e9, timeout: 1e9)
        }
      }
      if defers, asksFirst { allow() }
      if inBackground { phone.leaveApplication() }
      if defers, !asksFirst { allow() }
      let before = phone.ledger.marginal
      wait(phone, 1000)
      return phone.ledger.marginal - before
    }
    #expect(abs(joules(defers: true) / joules(defers: false) - 0.6) < 0.01)
    #expect(joules(defers: true, asksFirst: true) == joules(defers: true))
    #expect(joules(defers: true, inBackground: false) == joules(defers: false, inBackground: false))
  }

  @Test func `what cannot be deferred is refused with its reason`() {
    let (phone, heard) = phone()
    phone.perform { _ in heard.app?.manager.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1) }
    wait(phone, 1)
    phone.perform { _ in
      guard let manager = heard.app?.manager else { return }
      manager.startUpdatingLocation()
      manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
      manager.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
      manager.desiredAccuracy = kCLLocationAccuracyBest
      manager.distanceFilter = 10
      manager.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
      manager.distanceFilter = kCLDistanceFilterNone
      manager.allowDeferredLocationUpdates(untilTraveled: 1e9, timeout: 1e9)
      manager.disallowDeferredLocationUpdates()
    }
    wait(phone, 1)
    // The cancellation is reported at once, the refusals with the next turn.
    #expect(
      Set(heard.endings) == [
        .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled,
      ])
    #expect(heard.endings.first == .some(.deferredNotUpdatingLocation))
  }

  @Test func `from iOS 13 on it is accepted and nothing comes of it`() {
    let (phone, heard) = phone(13)
    phone.perform { _ in heard.app?.manager.startUpdatingLocation() }
    wait(phone, 120)
    phone.leaveApplication()
    phone.perform { _ in
      #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
      heard.app?.manager.allowDeferredLocationUpdates(untilTraveled: 1e9, timeout: 1e9)
    }
    let before = heard.batches.count
    wait(phone, 100)
    #expect(heard.batches.count > before + 50)
    #expect(heard.endings.isEmpty)
  }
}
