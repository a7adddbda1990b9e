/// The outcome of recent requests for satellite positions, which shows if more can be had.
struct SatelliteHistory: Hashable, Sendable {
  private(set) var usedAt: Instant?
  /// So often in a row they were looked for in vain.
  private(set) var misses = 0
  /// When they gave a poor position, and when that was asked for in a doubt.
  private(set) var poorAt: Instant?
  private var askedAgainAt: Instant?
  /// They are looked for again then.
  private(set) var backAt: Instant?

  mutating func used(at now: Instant) {
    usedAt = now
    misses = 0
    backAt = nil
  }

  mutating func gavePoor(at now: Instant) { poorAt = now }

  /// True if a poor position can be had that, with the network's, is better than either.
  ///
  /// - Returns: true at most once in a pause.
  mutating func allowsSecondOpinion(at now: Instant, _ parameters: CertifiedParameters) -> Bool {
    guard let poorAt, now - poorAt <= parameters.hotFor,
      askedAgainAt.map({ now - $0 >= parameters.secondOpinionPause }) ?? true
    else { return false }
    askedAgainAt = now
    return true
  }

  /// They were looked for and not found: indoors, in a tunnel.
  mutating func missed(at now: Instant, _ parameters: CertifiedParameters) {
    misses = min(misses + 1, 10)
    let pause = parameters.coldFix * Double(1 << misses)
    backAt = now + min(pause, parameters.hotFor)
  }

  /// True if looking for them now is in vain, as far as is known.
  func areMissing(at now: Instant) -> Bool { backAt.map { now < $0 } ?? false }

  /// True if the receiver has been used so shortly before `time` that its first fix comes soon.
  func areHot(at time: Instant, _ parameters: CertifiedParameters) -> Bool {
    usedAt.map { time - $0 <= parameters.hotFor } ?? false
  }

  mutating func shift(by jump: ClockJump) {
    usedAt = usedAt.map { jump.shifted($0) }
    poorAt = poorAt.map { jump.shifted($0) }
    askedAgainAt = askedAgainAt.map { jump.shifted($0) }
    backAt = backAt.map { jump.shifted($0) }
  }
}
