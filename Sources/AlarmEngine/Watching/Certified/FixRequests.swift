/// The outcome of requests for single fixes and for fences.
struct FixRequests: Hashable, Sendable {
  /// The time of the last request; nil if it was answered or failed while the policy waited for it.
  private(set) var askedAt: Instant?
  /// The number of requests in a row that brought no fix.
  private(set) var failures = 0
  /// The last request, and the number of equal ones that followed each other as soon as they were allowed.
  private var last: Request?
  private var quickRepeats = 0

  private struct Request: Hashable, Sendable {
    let accuracy: DesiredAccuracy
    let at: Instant
  }
  /// The last time that a fence needed a better fix.
  private var fenceAskedAt: Instant?
  private var fenceLaidAt: Instant?
  /// True if the system has reported that the phone is inside the registered fence.
  var isFenceProved = false
  /// The last time that a fence was of no use, and how often in a row that happened.
  private var fenceRefusedAt: Instant?
  private var fenceRefusals = 0

  /// The least time between two equal requests: 1 s, doubled up to 16 s.
  private var shortest: TimeSpan { .seconds(Double(1 << quickRepeats)) }
  private static let mostQuickRepeats = 4

  /// A fence that the system refutes within this time after its registration was of no use.
  private static let fenceProves = TimeSpan.seconds(60)
  /// The pause before the next fence after the first one of no use, and the longest pause.
  private static let firstFencePause = TimeSpan.seconds(15)
  private static let longestFencePause = TimeSpan.seconds(960)

  mutating func asked(_ accuracy: DesiredAccuracy, at now: Instant) {
    askedAt = now
    let isQuick = last.map { $0.accuracy == accuracy && now - $0.at < shortest * 2 + .seconds(2) } ?? false
    quickRepeats = isQuick ? min(quickRepeats + 1, Self.mostQuickRepeats) : 0
    last = Request(accuracy: accuracy, at: now)
  }

  /// Returns when an equal request is allowed again; nil for at once. An equal request rarely brings anything
  /// new, so each repetition waits twice as long as the one before.
  func allowedAt(_ accuracy: DesiredAccuracy, at now: Instant) -> Instant? {
    guard let last, last.accuracy == accuracy else { return nil }
    let time = last.at + shortest
    return now < time ? time : nil
  }
  mutating func asksForFence(at now: Instant) { fenceAskedAt = now }
  /// Stops waiting for an answer.
  mutating func giveUp() { askedAt = nil }
  /// Notes an accepted fix.
  mutating func succeeded() { failures = 0 }
  mutating func failed() {
    failures += 1
    askedAt = nil
  }

  /// Returns the pause after a failure.
  func pause(_ parameters: CertifiedParameters) -> TimeSpan {
    parameters.retries[min(failures, parameters.retries.count - 1)]
  }

  /// True if a fence may request a better fix, which it may once in a while.
  func allowsFence(at now: Instant, _ parameters: CertifiedParameters) -> Bool {
    fenceAskedAt.map { now - $0 >= parameters.parkAfter } ?? true
  }

  /// Returns the accuracy to request where `wanted` would be best.
  func accuracy(_ wanted: DesiredAccuracy, _ known: PhoneKnowledge, at now: Instant) -> DesiredAccuracy {
    if known.isBlind(at: now) { return wanted == .best ? .hundredMetres : wanted }
    guard failures % 2 == 1 else { return wanted }
    // After a failure the other sensor takes a turn.
    if wanted == .best, known.capabilities.wifi { return .hundredMetres }
    return known.capabilities.gnss ? .best : wanted
  }

  mutating func laidFence(at now: Instant) {
    fenceLaidAt = now
    isFenceProved = false
  }

  /// Notes that the phone is not inside the registered fence.
  mutating func fenceRefused(at now: Instant) {
    guard let laid = fenceLaidAt, now - laid < Self.fenceProves else { return }
    fenceLaidAt = nil
    let isInRow = fenceRefusedAt.map { now - $0 <= Self.longestFencePause * 2 } ?? false
    fenceRefusals = isInRow ? min(fenceRefusals + 1, 20) : 1
    fenceRefusedAt = now
  }

  /// The time from which a fence may be registered again. A system that refutes one at once also refutes the
  /// next one, and each costs a fix, so the pause doubles with each.
  var fenceAllowedAt: Instant? {
    guard let refusedAt = fenceRefusedAt else { return nil }
    let pause = min(Self.longestFencePause, Self.firstFencePause * Double(1 << min(fenceRefusals - 1, 10)))
    return refusedAt + pause
  }

  mutating func shift(by jump: ClockJump) {
    askedAt = askedAt.map { jump.shifted($0) }
    last = last.map { Request(accuracy: $0.accuracy, at: jump.shifted($0.at)) }
    fenceAskedAt = fenceAskedAt.map { jump.shifted($0) }
    fenceLaidAt = fenceLaidAt.map { jump.shifted($0) }
    fenceRefusedAt = fenceRefusedAt.map { jump.shifted($0) }
  }
}
