import Geometry

/// How far the phone can have moved since the position that is believed: an upper bound, in metres.
///
/// It grows with the greatest speed that the motion hardware's word allows. The hardware may be late: when a mode
/// ends, its last stretch is charged at the greatest speed. A strict reckoning, for safety zones, charges that
/// stretch before it is known to be needed; else the guarantee names the delay.
struct DisplacementBudget: Hashable, Sendable {
  private(set) var motion = Motion.unknown
  private var since: Instant
  private var spent = 0.0
  private var spentAt: Instant

  init(at now: Instant) {
    since = now
    spentAt = now
  }

  /// A new position is believed, measured `age` before now; the movement since then is charged.
  mutating func restart(at measuredAt: Instant, now: Instant, _ parameters: CertifiedParameters) {
    spent = parameters.greatestSpeed * max(0, (now - measuredAt).seconds)
    spentAt = now
    if motion == .still { spent += parameters.restAllowance }
    since = max(since, measuredAt)
  }

  mutating func moved(_ next: Motion, at now: Instant, _ parameters: CertifiedParameters) {
    guard next != motion else { return }
    accrue(to: now, parameters)
    let late = min(parameters.motionDelay, max(0, (now - since).seconds))
    spent += (parameters.greatestSpeed - parameters.cap(motion)) * late
    if next == .still { spent += parameters.restAllowance }
    motion = next
    since = now
  }

  /// Metres at `now`; strictly, with the stretch that the hardware may not have noticed yet.
  func bound(at now: Instant, strictly: Bool, _ parameters: CertifiedParameters) -> Double {
    let elapsed = max(0, (now - spentAt).seconds)
    let unnoticed = strictly ? min(parameters.motionDelay, max(0, (now - since).seconds)) : 0
    let cap = parameters.cap(motion)
    return spent + cap * elapsed + (parameters.greatestSpeed - cap) * unnoticed
  }

  /// Seconds from `now` until the bound reaches `metres`; nil when it never does, as long as the phone rests.
  func time(
    until metres: Double, from now: Instant, strictly: Bool, _ parameters: CertifiedParameters
  ) -> Double? {
    let cap = parameters.cap(motion)
    let left = metres - bound(at: now, strictly: strictly, parameters)
    if left <= 0 { return 0 }
    // Strictly, the greatest speed is charged until the hardware's word has stood for its delay.
    let young = strictly ? max(0, parameters.motionDelay - max(0, (now - since).seconds)) : 0
    if cap >= parameters.greatestSpeed { return left / parameters.greatestSpeed }
    if left <= parameters.greatestSpeed * young { return left / parameters.greatestSpeed }
    guard cap > 0 else { return nil }
    return young + (left - parameters.greatestSpeed * young) / cap
  }

  private mutating func accrue(to now: Instant, _ parameters: CertifiedParameters) {
    spent += parameters.cap(motion) * max(0, (now - spentAt).seconds)
    spentAt = max(spentAt, now)
  }
}
