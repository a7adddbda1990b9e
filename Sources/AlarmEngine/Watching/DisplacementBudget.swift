import Geometry

/// How far the phone can have moved since the position that is believed: an upper bound, in metres.
///
/// It grows with the greatest speed that the motion hardware's word allows. That word may be late by its delay, and
/// a motion that was over sooner may never be told by name: each word, the same one again too, charges the last
/// stretch before it with the greatest speed. Two reckonings differ in who pays until the word comes. The *trusting*
/// one lags behind, and the guarantee is later by the delay. The *strict* one charges the last stretch with the
/// greatest speed at all times, and never lags.
struct DisplacementBudget: Hashable, Sendable {
  private(set) var motion = Motion.unknown
  var toldAt: Instant
  /// Since when the present motion can have lasted unnoticed otherwise.
  var since: Instant
  private var spent = 0.0
  var spentAt: Instant

  init(at now: Instant) {
    toldAt = now
    since = now
    spentAt = now
  }

  /// A new position is believed; the movement since it was measured is charged in full.
  mutating func restart(at measuredAt: Instant, now: Instant, _ parameters: CertifiedParameters) {
    let age = max(0, (now - measuredAt).seconds)
    spent = parameters.greatestSpeed * age + (motion == .still ? parameters.restAllowance : 0)
    spentAt = now
    since = max(since, measuredAt)
  }

  /// The motion hardware spoke.
  mutating func told(_ next: Motion, at now: Instant, _ parameters: CertifiedParameters) {
    spent = bound(at: now, strictly: true, parameters)
    if next == .still, motion != .still { spent += parameters.restAllowance }
    spentAt = max(spentAt, now)
    motion = next
    toldAt = now
    since = now
  }

  /// Metres at `now`.
  func bound(at now: Instant, strictly: Bool, _ parameters: CertifiedParameters) -> Double {
    let cap = parameters.cap(motion)
    let trusting = spent + cap * max(0, (now - spentAt).seconds)
    return strictly
      ? trusting + (parameters.greatestSpeed - cap) * unnoticed(at: now, parameters) : trusting
  }

  /// Seconds from `now` until the bound reaches `metres`; nil when it never does, as long as the phone rests.
  func time(
    until metres: Double, from now: Instant, strictly: Bool, _ parameters: CertifiedParameters
  ) -> Double? {
    let cap = parameters.cap(motion)
    let left = metres - bound(at: now, strictly: strictly, parameters)
    if left <= 0 { return 0 }
    // Strictly, the greatest speed is charged until the hardware's word has stood for its delay.
    let young = strictly ? max(0, parameters.motionDelay - unnoticed(at: now, parameters)) : 0
    if cap >= parameters.greatestSpeed || left <= parameters.greatestSpeed * young {
      return left / parameters.greatestSpeed
    }
    guard cap > 0 else { return nil }
    return young + (left - parameters.greatestSpeed * young) / cap
  }

  /// Seconds just passed in which the phone may have moved otherwise without its having been said.
  private func unnoticed(at now: Instant, _ parameters: CertifiedParameters) -> Double {
    min(parameters.motionDelay, max(0, (now - since).seconds))
  }
}
