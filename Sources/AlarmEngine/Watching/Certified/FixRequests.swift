/// What came of asking for single fixes.
struct FixRequests: Hashable, Sendable {
  /// When the last fix was asked for, unless it came or failed while it was waited for.
  private(set) var askedAt: Instant?
  /// Requests in a row that brought no fix.
  private(set) var failures = 0
  /// The last request, and how many like it followed one another as soon as they were allowed.
  private var last: Request?
  private var quickRepeats = 0

  private struct Request: Hashable, Sendable {
    let accuracy: DesiredAccuracy
    let at: Instant
  }
  /// A fence wanted a better fix.
  private var fenceAskedAt: Instant?
  private var fenceLaidAt: Instant?
  /// When a fence last came to nothing, and how often in a row.
  private var fenceRefusedAt: Instant?
  private var fenceRefusals = 0

  /// Between two equal requests: a second, 16 s at most.
  private var shortest: TimeSpan { .seconds(Double(1 << quickRepeats)) }
  private static let mostQuickRepeats = 4

  /// A fence that is refused sooner than this after it was laid came to nothing.
  private static let fenceProves = TimeSpan.seconds(60)
  /// Until the next fence after the first one that came to nothing, and at most.
  private static let firstFencePause = TimeSpan.seconds(15)
  private static let longestFencePause = TimeSpan.seconds(960)

  mutating func asked(_ accuracy: DesiredAccuracy, at now: Instant) {
    askedAt = now
    let isQuick = last.map { $0.accuracy == accuracy && now - $0.at < shortest * 2 + .seconds(2) } ?? false
    quickRepeats = isQuick ? min(quickRepeats + 1, Self.mostQuickRepeats) : 0
    last = Request(accuracy: accuracy, at: now)
  }

  /// From when on a fix may be asked for again, nil for at once. Whatever a phone answers, the same request again and
  /// again brings nothing new: each waits twice as long as the one before.
  func allowedAt(_ accuracy: DesiredAccuracy, at now: Instant) -> Instant? {
    guard let last, last.accuracy == accuracy else { return nil }
    let time = last.at + shortest
    return now < time ? time : nil
  }
  mutating func asksForFence(at now: Instant) { fenceAskedAt = now }
  /// No answer is waited for any more.
  mutating func giveUp() { askedAt = nil }
  /// A fix was believed.
  mutating func succeeded() { failures = 0 }
  mutating func failed() {
    failures += 1
    askedAt = nil
  }

  /// Until the next try after a failure.
  func pause(_ parameters: CertifiedParameters) -> TimeSpan {
    parameters.retries[min(failures, parameters.retries.count - 1)]
  }

  /// True if a fence may ask for a better fix: it does so once in a while.
  func allowsFence(at now: Instant, _ parameters: CertifiedParameters) -> Bool {
    fenceAskedAt.map { now - $0 >= parameters.parkAfter } ?? true
  }

  /// The accuracy to ask for where `wanted` would be best.
  func accuracy(_ wanted: DesiredAccuracy, _ known: PhoneKnowledge, at now: Instant) -> DesiredAccuracy {
    if known.isBlind(at: now) { return wanted == .best ? .hundredMetres : wanted }
    guard failures % 2 == 1 else { return wanted }
    // A sensor that failed gives way to the other one, in turn.
    if wanted == .best, known.capabilities.wifi { return .hundredMetres }
    return known.capabilities.gnss ? .best : wanted
  }

  mutating func laidFence(at now: Instant) { fenceLaidAt = now }

  /// The system says that the phone is not in the fence that was laid.
  mutating func fenceRefused(at now: Instant) {
    guard let laid = fenceLaidAt, now - laid < Self.fenceProves else { return }
    fenceLaidAt = nil
    let isInRow = fenceRefusedAt.map { now - $0 <= Self.longestFencePause * 2 } ?? false
    fenceRefusals = isInRow ? min(fenceRefusals + 1, 20) : 1
    fenceRefusedAt = now
  }

  /// From when on a fence may be laid: a system that refuses one at once refuses the next one as well, and each costs a
  /// fix. The pause doubles with each that comes to nothing.
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
