import AlarmEngine
import Geometry

/// The significant-change service: one registration for the application, for any number of managers. Section
/// 3.
final class SignificantChanges {
  private unowned let phone: Phone
  /// Outlives the process.
  private(set) var isRegistered = false
  /// The process that started the service and gets its events.
  private weak var listener: AppProcess?
  /// The fix of an event before a new process started the service.
  private var pending: PhoneFix?
  private var plan: VirtualClock.Plan?
  private var silence: VirtualClock.Plan?
  private var anchor: Anchor?

  /// Place and time of the last event.
  private struct Anchor {
    let time: Instant
    let position: Coordinate
    let travelled: Double
    /// Metres of travel to the next event.
    let threshold: Double
  }

  init(phone: Phone) { self.phone = phone }

  func start(for process: AppProcess) {
    listener = process
    let isNew = !isRegistered
    isRegistered = true
    phone.accountForMonitoring()
    if isNew || anchor == nil { restart() }
    let waiting = pending
    pending = nil
    phone.clock.plan(after: .seconds(phone.parameters.firstCallbackSeconds)) { [unowned self, weak process] in
      guard let process, process.isExecuting, isRegistered, phone.isAuthorized else { return }
      // D: the first event normally is the cached location.
      let cached = phone.isReduced ? nil : phone.positioning.cached
      guard let fix = waiting ?? cached ?? measure() else { return }
      deliver(fix, to: process)
    }
  }

  func stop() {
    isRegistered = false
    anchor = nil
    pending = nil
    plan?.cancel()
    silence?.cancel()
    phone.accountForMonitoring()
  }

  /// Measures the way to the next event from here.
  func restart() {
    guard isRegistered else { return }
    setAnchor()
    look()
  }

  private func setAnchor() {
    let parameters = phone.parameters
    let excess = phone.randomness.lognormal(
      .significantDistance, median: parameters.significantExcessMedianMetres,
      sigma: parameters.significantExcessSigma)
    anchor = Anchor(
      time: phone.now, position: phone.journey.position(at: phone.now),
      travelled: phone.journey.travelled(at: phone.now),
      threshold: parameters.significantDistanceMetres + excess)
    silence?.cancel()
    if parameters.significantSilenceSeconds > 0 {
      silence = phone.clock.plan(after: .seconds(parameters.significantSilenceSeconds)) { [unowned self] in
        fire()
      }
    }
  }

  private func look() {
    plan?.cancel()
    guard let anchor, let reached = phone.journey.time(travelled: anchor.travelled + anchor.threshold) else {
      return
    }
    let earliest = max(reached, anchor.time + .seconds(phone.parameters.significantSpacingSeconds))
    let disc = Disc(centre: anchor.position, radius: phone.parameters.significantDistanceMetres)
    let limit = max(phone.journey.end, earliest)
    guard
      let away = phone.journey.firstTime(inside: false, of: disc, from: earliest, until: limit)
    else { return }
    plan = phone.clock.plan(at: away) { [unowned self] in notice() }
  }

  /// Plans the event for a change that has happened, after the delay of delivery.
  private func notice() {
    let (least, most) = (
      phone.parameters.significantDelayLeastSeconds, phone.parameters.significantDelayMostSeconds
    )
    let delay = least + max(0, most - least) * phone.randomness.uniform(.significantDelay)
    plan = phone.clock.plan(after: .seconds(delay)) { [unowned self] in fire() }
  }

  private func fire() {
    plan?.cancel()
    let fix = phone.isOff || !(phone.conditions.network || phone.conditions.wifi) ? nil : measure()
    setAnchor()
    look()
    guard let fix else { return }
    guard !phone.isDeaf else { return phone.record(.lost("significant change")) }
    phone.record(.significantChange)
    if listener?.isAlive != true { pending = fix }
    phone.wake(.significantChange) { [unowned self] process in
      guard listener === process, pending == nil else { return }
      deliver(fix, to: process)
    }
  }

  private func measure() -> PhoneFix? {
    let parameters = phone.parameters
    let draw = phone.randomness.uniform(.significantAccuracy)
    let others = [
      parameters.significantFineMetres, parameters.significantPoorMetres, parameters.significantWorstMetres,
    ]
    let accuracy: Double
    if draw < parameters.significantCoarseShare {
      accuracy = parameters.significantAccuracyMetres
    } else {
      let share = (draw - parameters.significantCoarseShare) / (1 - parameters.significantCoarseShare)
      accuracy = others[min(2, Int(share * 3))]
    }
    return phone.positioning.measureCoarsely(accuracy: accuracy)
  }

  private func deliver(_ fix: PhoneFix, to process: AppProcess) {
    phone.record(.fix(fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, by: fix.service))
    process.eachManager { if $0.wantsSignificantChanges { $0.tell(fix) } }
  }
}
