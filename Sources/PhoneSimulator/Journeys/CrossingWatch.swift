import AlarmEngine
import Geometry

/// Reports, late, that the phone crossed the edge of a disc, as operating systems do.
///
/// A true crossing at time t is reported at the later of t plus a random latency and the first moment at
/// which the phone has been beyond the cushion for the dwell. A crossing undone before it can be reported is
/// coalesced.
final class CrossingWatch {
  struct Rules {
    var disc: Disc
    /// Metres beyond the edge: outwards for an exit, inwards for an entry.
    var exitCushion: Double
    var entryCushion: Double
    var dwell: TimeSpan
    /// Seconds until an event; the argument is true for an entry.
    var latency: (_ entering: Bool) -> Double
    var event: (_ entering: Bool) -> Void
    var coalesced: () -> Void
  }

  private unowned let phone: Phone
  let rules: Rules
  /// The state known to the system; nil if unknown.
  private(set) var isInside: Bool?
  private var plan: VirtualClock.Plan?
  /// True if an event is due, but no network can deliver it.
  private var isWaiting = false

  init(phone: Phone, rules: Rules) {
    self.phone = phone
    self.rules = rules
  }

  var isTrulyInside: Bool { rules.disc.depth(of: phone.journey.position(at: phone.now)) >= 0 }

  /// Starts, or starts again, with a known state.
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

  /// Plans the next crossing, searching no further ahead than `horizon`.
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
    // The dwell may begin long after the crossing; it is searched for until an hour after the latency.
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

  /// Reports a false crossing; the next true one corrects it.
  func mistake() {
    guard let isInside else { return }
    self.isInside = !isInside
    rules.event(!isInside)
    look()
  }
}
