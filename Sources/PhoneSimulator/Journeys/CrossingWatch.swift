import AlarmEngine
import Geometry

/// Notices, late, that the phone crossed the edge of a disc, as operating systems do.
///
/// After a true crossing at t a latency T is drawn; the event comes at the later of t + T and the first moment
/// at which the phone has been beyond the cushion for the dwell. Crossings undone before that are coalesced.
final class CrossingWatch {
  struct Rules {
    var disc: Disc
    /// Metres beyond the edge, outwards and inwards.
    var exitCushion: Double
    var entryCushion: Double
    var dwell: TimeSpan
    /// Seconds, for an entry or an exit.
    var latency: (_ entering: Bool) -> Double
    var event: (_ entering: Bool) -> Void
    var coalesced: () -> Void
  }

  private unowned let phone: Phone
  let rules: Rules
  /// What the system believes; nil while it does not know.
  private(set) var isInside: Bool?
  private var plan: VirtualClock.Plan?
  /// An event is due that no network could bring.
  private var isWaiting = false

  init(phone: Phone, rules: Rules) {
    self.phone = phone
    self.rules = rules
  }

  var isTrulyInside: Bool { rules.disc.depth(of: phone.journey.position(at: phone.now)) >= 0 }

  /// Begins, or begins anew, with a state taken as known.
  func begin(believing inside: Bool) {
    isInside = inside
    isWaiting = false
    look()
  }

  func stop() {
    plan?.cancel()
    isInside = nil
  }

  func connectivityReturned() {
    if isWaiting { begin(believing: isInside ?? isTrulyInside) }
  }

  /// Searches for the next crossing, no further ahead than is worth it.
  private func look() {
    plan?.cancel()
    guard let isInside else { return }
    let horizon = phone.journey.horizon(from: phone.now)
    if let crossing = phone.journey.firstTime(
      inside: !isInside, of: rules.disc, from: phone.now, until: horizon)
    {
      plan = phone.clock.plan(at: crossing) { [unowned self] in crossed(entering: !isInside) }
    } else if horizon < phone.journey.end {
      plan = phone.clock.plan(at: horizon) { [unowned self] in look() }
    }
  }

  private func crossed(entering: Bool) {
    let (now, journey) = (phone.now, phone.journey)
    let due = now + .seconds(rules.latency(entering))
    // The dwell may take long to come about; it is looked for within an hour past the latency.
    let limit = due + .hours(1)
    let back = journey.firstTime(inside: !entering, of: rules.disc, from: now, until: limit)
    let cushion = entering ? min(rules.entryCushion, rules.disc.radius / 2) : rules.exitCushion
    let core = Disc(
      centre: rules.disc.centre, radius: rules.disc.radius + (entering ? -cushion : cushion))
    let settled = journey.settled(
      inside: entering, of: core, dwell: rules.dwell, from: now, until: back ?? limit)
    guard let settled else {
      plan = phone.clock.plan(at: back ?? limit) { [unowned self] in
        rules.coalesced()
        look()
      }
      return
    }
    let event = max(due, settled)
    if let back, back < event,
      phone.randomness.happens(.coalescing, probability: phone.parameters.coalescingProbability)
    {
      plan = phone.clock.plan(at: back) { [unowned self] in
        rules.coalesced()
        look()
      }
      return
    }
    plan = phone.clock.plan(at: event) { [unowned self] in fire(entering: entering) }
  }

  private func fire(entering: Bool) {
    guard phone.conditions.network || phone.conditions.wifi else {
      isWaiting = true
      return
    }
    isInside = entering
    look()
    rules.event(entering)
  }

  /// The system comes to believe what is not so; its own checks will correct it.
  func mistake() {
    guard let isInside else { return }
    self.isInside = !isInside
    rules.event(!isInside)
    look()
  }
}
