import Geometry

/// How far the phone can have moved since the position that is believed: an upper bound.
///
/// It grows with the greatest speed that the motion hardware's word allows. That word may be late by its delay, and
/// a motion that was over sooner may never be told by name. So there is a second speed, the *unannounced* one: what the
/// phone may have reached in the time just passed without its having been said (``PhoneKnowledge/unannounced(_:at:)``).
/// Without it the bound lags behind until the word comes, and a guarantee is later by the delay.
struct DisplacementBudget: Hashable, Sendable {
  private(set) var motion = Motion.unknown
  private(set) var toldAt: Instant
  /// Since when the present motion can have lasted unnoticed otherwise.
  private var since: Instant
  private var spent = Distance.zero
  private var spentAt: Instant

  init(at now: Instant) {
    toldAt = now
    since = now
    spentAt = now
  }

  /// A new position is believed; the movement since it was measured is charged in full.
  mutating func restart(at measuredAt: Instant, now: Instant, _ parameters: CertifiedParameters) {
    let age = max(.zero, now - measuredAt)
    spent = parameters.greatestSpeed * age + (motion == .still ? parameters.restAllowance : .zero)
    spentAt = now
    since = max(since, measuredAt)
  }

  /// The motion hardware spoke. The same word again says that something else went before it.
  ///
  /// - Parameter unannounced: the speed at which the time just passed is charged.
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

  /// The bound at `now`.
  func bound(at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters) -> Distance {
    let cap = parameters.cap(motion)
    let told = spent + cap * max(.zero, now - spentAt)
    let excess = Speed.metresPerSecond(max(0, unannounced.metresPerSecond - cap.metresPerSecond))
    return told + excess * unnoticed(at: now, parameters)
  }

  /// Seconds from `now` until the bound reaches `distance`; nil when it never does, as long as the phone rests.
  func seconds(
    until distance: Distance, from now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) -> Double? {
    let cap = parameters.cap(motion).metresPerSecond
    let most = max(cap, unannounced.metresPerSecond)
    let left = (distance - bound(at: now, unannounced: unannounced, parameters)).metres
    if left <= 0 { return 0 }
    // The unannounced speed is charged until the hardware's word has stood for its delay.
    let young = most > cap ? max(.zero, parameters.motionDelay - unnoticed(at: now, parameters)).seconds : 0
    if left <= most * young { return left / most }
    guard cap > 0 else { return nil }
    return young + (left - most * young) / cap
  }

  /// The time just passed in which the phone may have moved otherwise without its having been said.
  private func unnoticed(at now: Instant, _ parameters: CertifiedParameters) -> TimeSpan {
    min(parameters.motionDelay, max(.zero, now - since))
  }

  mutating func shift(by jump: ClockJump) {
    toldAt = jump.shifted(toldAt)
    since = jump.shifted(since)
    spentAt = jump.shifted(spentAt)
  }
}
