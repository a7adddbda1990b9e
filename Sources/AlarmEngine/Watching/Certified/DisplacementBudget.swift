import Geometry

/// An upper bound on how far the phone can have moved since the last accepted position.
///
/// It grows from the speed that the position states, by the greatest acceleration, up to the greatest speed that
/// the reported motion allows. The motion hardware may report late, and may never name a motion that ended sooner
/// than its delay. A second, *unannounced* speed covers this: the greatest speed that the phone may have reached
/// in the last moments without a report (``PhoneKnowledge/unannounced(_:at:)``). Without it the bound lags behind
/// until the report, and the guarantee is later by the delay.
struct DisplacementBudget: Hashable, Sendable {
  private(set) var motion = Motion.unknown
  private(set) var toldAt: Instant
  /// The earliest time from which the phone may have moved otherwise without a report.
  private var since: Instant
  private var spent = Distance.zero
  private var spentAt: Instant
  /// The greatest speed that the phone can have had at `spentAt`.
  private var speed = Tracking.greatestSpeed

  init(at now: Instant) {
    toldAt = now
    since = now
    spentAt = now
  }

  /// Restarts from a new position. At rest it charges the allowance.
  ///
  /// - Parameter stated: the greatest speed that the phone can have had there; nil if the position states none.
  mutating func restart(
    at measuredAt: Instant, now: Instant, speed stated: Speed?, _ parameters: CertifiedParameters
  ) {
    // The phone may have braked since an earlier time, which bounds no speed before.
    let known = measuredAt < spentAt ? parameters.greatestSpeed : self.speed(at: measuredAt, parameters)
    let run = Run(from: stated ?? known, upTo: parameters.greatestSpeed, parameters)
    let age = max(.zero, now - measuredAt)
    spent = run.way(in: age) + (motion == .still ? parameters.restAllowance : .zero)
    speed = run.speed(after: age)
    spentAt = now
    since = max(since, measuredAt)
  }

  /// Notes a report of the motion hardware. A repeated report means that another motion came between.
  ///
  /// - Parameter unannounced: the speed charged for the last moments before the report.
  mutating func told(
    _ next: Motion, at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) {
    let latest = latestRun(at: now, unannounced: unannounced, parameters)
    spent = bound(at: now, unannounced: unannounced, parameters)
    if next == .still, motion != .still { spent = spent + parameters.restAllowance }
    speed = latest.run.speed(after: latest.span)
    spentAt = max(spentAt, now)
    motion = next
    toldAt = now
    since = now
  }

  /// Returns the bound at `now`.
  func bound(at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters) -> Distance {
    let latest = latestRun(at: now, unannounced: unannounced, parameters)
    let before = max(.zero, now - spentAt) - latest.span
    return spent + Run(from: speed, upTo: parameters.cap(motion), parameters).way(in: before)
      + latest.run.way(in: latest.span)
  }

  /// Returns the seconds from `now` until the bound reaches `distance`; nil if it never does while the phone
  /// rests.
  func seconds(
    until distance: Distance, from now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) -> Double? {
    let cap = parameters.cap(motion)
    let left = distance - bound(at: now, unannounced: unannounced, parameters)
    if left <= .zero { return 0 }
    let latest = latestRun(at: now, unannounced: unannounced, parameters)
    let run = Run(from: latest.run.speed(after: latest.span), upTo: max(cap, unannounced), parameters)
    guard cap < unannounced else { return cap > .zero ? run.seconds(for: left) : nil }
    // The unannounced speed is charged until the motion report is as old as the hardware's delay.
    let young = max(.zero, parameters.motionDelay - (now - since))
    let first = run.way(in: young)
    if left <= first { return run.seconds(for: left) }
    guard cap > .zero else { return nil }
    return young.seconds + (left - first).metres / cap.metresPerSecond
  }

  /// The last moments, in which the phone may have moved otherwise without a report.
  private func latestRun(
    at now: Instant, unannounced: Speed, _ parameters: CertifiedParameters
  ) -> (run: Run, span: TimeSpan) {
    let cap = parameters.cap(motion)
    let elapsed = max(.zero, now - spentAt)
    guard cap < unannounced else { return (Run(from: speed, upTo: cap, parameters), elapsed) }
    let span = min(elapsed, parameters.motionDelay, max(.zero, now - since))
    // Before the last moments, no report means that the phone kept to the reported motion.
    let first = span < elapsed ? cap : max(cap, speed)
    return (Run(from: first, upTo: unannounced, parameters), span)
  }

  /// Returns the greatest speed that the phone can have at `time`, whatever the motion.
  private func speed(at time: Instant, _ parameters: CertifiedParameters) -> Speed {
    Run(from: speed, upTo: parameters.greatestSpeed, parameters).speed(after: max(.zero, time - spentAt))
  }

  mutating func shift(by jump: ClockJump) {
    toldAt = jump.shifted(toldAt)
    since = jump.shifted(since)
    spentAt = jump.shifted(spentAt)
  }
}

/// A phone that speeds up as fast as it can, from one speed to another.
private struct Run {
  /// Metres a second.
  private let first: Double
  private let most: Double
  /// Metres a second, each second; above zero.
  private let acceleration: Double

  init(from first: Speed, upTo most: Speed, _ parameters: CertifiedParameters) {
    self.most = most.metresPerSecond
    self.first = min(first.metresPerSecond, self.most)
    acceleration = parameters.greatestAcceleration
  }

  /// The seconds until the greatest speed is reached.
  private var rise: Double { (most - first) / acceleration }

  func speed(after span: TimeSpan) -> Speed {
    .metresPerSecond(min(most, first + acceleration * span.seconds))
  }

  func way(in span: TimeSpan) -> Distance {
    let rising = min(span.seconds, rise)
    return .metres((first + acceleration * rising / 2) * rising + most * (span.seconds - rising))
  }

  /// - Precondition: the greatest speed is above zero.
  func seconds(for way: Distance) -> Double {
    let rising = (first + acceleration * rise / 2) * rise
    if way.metres > rising { return rise + (way.metres - rising) / most }
    return ((first * first + 2 * acceleration * way.metres).squareRoot() - first) / acceleration
  }
}
