import AlarmEngine
import Foundation
import Geometry

/// The visit service: reports, minutes late, that the phone came to rest and that it left again. Section 6.
final class VisitMonitor {
  private unowned let phone: Phone
  /// Outlives the process.
  private(set) var isRegistered = false
  private var since: Instant?
  private var plans: [VirtualClock.Plan] = []
  private lazy var stays = phone.journey.stays(
    within: .metres(phone.parameters.visitRadiusMetres),
    atLeast: .seconds(phone.parameters.visitArrivalDelay.minimum))

  init(phone: Phone) { self.phone = phone }

  func start() {
    guard !isRegistered else { return }
    isRegistered = true
    since = phone.now
    phone.accountForMonitoring()
    for stay in stays where stay.departure.map({ $0 > phone.now }) ?? true { plan(stay) }
  }

  func stop() {
    isRegistered = false
    for plan in plans { plan.cancel() }
    plans = []
    phone.accountForMonitoring()
  }

  private func plan(_ stay: Stay) {
    let parameters = phone.parameters
    let arrivalDelay = parameters.visitArrivalDelay.value(at: phone.randomness.uniform(.visit))
    let departureDelay = parameters.visitDepartureDelay.value(at: phone.randomness.uniform(.visit))
    let told = stay.arrival + .seconds(arrivalDelay)
    // If the phone was already at rest when the service was started, the arrival is unknown.
    let arrival = since.map { stay.arrival >= $0 } ?? false ? Date(stay.arrival) : Date.distantPast
    if stay.departure.map({ told < $0 }) ?? true, told > phone.now {
      plans.append(
        phone.clock.plan(at: told) { [unowned self] in
          phone.record(.arrived)
          tell(stay, arrival: arrival, departure: .distantFuture)
        })
    }
    guard let departure = stay.departure, told < departure else { return }
    plans.append(
      phone.clock.plan(at: departure + .seconds(departureDelay)) { [unowned self] in
        phone.record(.departed)
        tell(stay, arrival: arrival, departure: Date(departure))
      })
  }

  private func tell(_ stay: Stay, arrival: Date, departure: Date) {
    guard !phone.isDeaf else { return phone.record(.lost("visit")) }
    let fix = phone.positioning.measure(restedAt: stay.position)
    let visit = CLVisit(
      coordinate: CLLocationCoordinate2D(fix.position), horizontalAccuracy: fix.accuracy,
      arrivalDate: arrival,
      departureDate: departure)
    phone.wake(.visit) { process in process.eachManager { $0.tell(visit) } }
  }
}
