import Geometry

/// An upper bound on how far the phone can have moved since the last accepted position.
///
/// It grows with the greatest speed that the reported motion allows. The motion hardware may report late, and
/// may never name a motion that ended sooner than its delay. A second, *unannounced* speed covers this: the
/// greatest speed that the phone may have reached in the last moments without a report
/// (``PhoneKnowledge/unannounced(_:at:)``). Without it the bound lags behind until the report, and the
/// guarantee is later by the delay.
struct DisplacementBudget: Hashable, Sendable {
  private(set) var motion = Motion.unknown
  private(set) var toldAt: Instant
  /// The earliest time from which the phone may have moved otherwise without a report.
  private var since: Instant
  private var spent = Distance.zero
  private var spentAt: Instant

  init(at now: Instant) {
    toldAt = now
    since = now
    spentAt = now
  }

  /// Restarts from a new position. Charges the greatest speed since its measurement and, at rest, the allowance.
  mutating func restart(at measuredAt: Instant, now: Instant, _ parameters: CertifiedParameters) {
    let age = max(.zero, now - measuredAt)
    spent = parameters.greatestSpeed * age + (motion == .still ? parameters.restAllowance : .zero)
    spentAt = now
    since = max(since, measuredAt)
  }

  /// Notes a report of the motion hardware. A repeated report means that another motion came between.
  ///
  /// - Parameter unannounced: the speed charged for the last moments before the report.
  mutating func told(
    _ next: Motion, at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) {
    spent = bound(at: now, unannounced: unannounced, parameters)
    if next == .still, motion != .still { spent = spent + parameters.restAllowance }
    spentAt = max(spentAt, now)
    motion = next
    toldAt = now
    since = now
  }

  /// Returns the bound at `now`.
  func bound(at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters) -> Distance {
    let cap = parameters.cap(motion)
    let told = spent + cap * max(.zero, now - spentAt)
    let excess = Speed.metresPerSecond(max(0, unannounced.metresPerSecond - cap.metresPerSecond))
    return told + excess * unnoticed(at: now, parameters)
  }

  /// Returns the seconds from `now` until the bound reaches `distance`; nil if it never does while the phone
  /// rests.
  func seconds(
    until distance: Distance, from now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) -> Double? {
    let cap = parameters.cap(motion).metresPerSecond
    let most = max(cap, unannounced.metresPerSecond)
    let left = (distance - bound(at: now, unannounced: unannounced, parameters)).metres
    if left <= 0 { return 0 }
    // The unannounced speed is charged until the motion report is as old as the hardware's delay.
    let young = most > cap ? max(.zero, parameters.motionDelay - unnoticed(at: now, parameters)).seconds : 0
    if left <= most * young { return left / most }
    guard cap > 0 else { return nil }
    return young + (left - most * young) / cap
  }

  /// Returns how long the phone may have moved otherwise without a report.
  private func unnoticed(at now: Instant, _ parameters: CertifiedParameters) -> TimeSpan {
    min(parameters.motionDelay, max(.zero, now - since))
  }

  mutating func shift(by jump: ClockJump) {
    toldAt = jump.shifted(toldAt)
    since = jump.shifted(since)
    spentAt = jump.shifted(spentAt)
  }
}
