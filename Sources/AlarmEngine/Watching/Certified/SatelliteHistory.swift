/// The outcome of recent requests for satellite fixes, which predicts if more can be had.
struct SatelliteHistory: Hashable, Sendable {
  private(set) var usedAt: Instant?
  /// The number of failed searches in a row.
  private(set) var misses = 0
  /// The times of the last poor fix and of the last request to combine one with a network fix.
  private(set) var poorAt: Instant?
  private var askedAgainAt: Instant?
  /// The time of the next search.
  private(set) var backAt: Instant?
  /// The end of the last rest.
  private(set) var setOffAt: Instant?

  /// Notes when a good fix was measured. One that the system repeats says nothing of the receiver now.
  mutating func used(at measuredAt: Instant) {
    if let usedAt, measuredAt <= usedAt { return }
    usedAt = measuredAt
    misses = 0
    backAt = nil
  }

  mutating func gavePoor(at now: Instant) { poorAt = now }

  /// True if a poor satellite fix can be had which, combined with a network fix, is better than either.
  ///
  /// - Returns: true at most once within `secondOpinionPause`.
  mutating func allowsSecondOpinion(at now: Instant, _ parameters: CertifiedParameters) -> Bool {
    guard let poorAt, now - poorAt <= parameters.hotFor,
      askedAgainAt.map({ now - $0 >= parameters.secondOpinionPause }) ?? true
    else { return false }
    askedAgainAt = now
    return true
  }

  /// Notes a search that found no satellites, as indoors or in a tunnel.
  mutating func missed(at now: Instant, _ parameters: CertifiedParameters) {
    misses = min(misses + 1, 10)
    let pause = parameters.coldFix * Double(1 << misses)
    backAt = now + min(pause, parameters.hotFor)
  }

  /// Forgets the failed searches of a place that the phone leaves: outside a house satellites come in their usual
  /// time again.
  mutating func setOff(at now: Instant, _ parameters: CertifiedParameters) {
    misses = 0
    setOffAt = now
    backAt = backAt.map { min($0, now + parameters.coldFix) }
  }

  /// True if a search now would probably fail.
  func areMissing(at now: Instant) -> Bool { backAt.map { now < $0 } ?? false }

  /// True if the receiver was used so shortly before `time` that its first fix comes soon.
  func areHot(at time: Instant, _ parameters: CertifiedParameters) -> Bool {
    usedAt.map { time - $0 <= parameters.hotFor } ?? false
  }

  mutating func shift(by jump: ClockJump) {
    usedAt = usedAt.map { jump.shifted($0) }
    poorAt = poorAt.map { jump.shifted($0) }
    askedAgainAt = askedAgainAt.map { jump.shifted($0) }
    backAt = backAt.map { jump.shifted($0) }
    setOffAt = setOffAt.map { jump.shifted($0) }
  }
}
