import AlarmEngine
import Geometry

/// Holds a policy to what it showed when a visit began.
struct GuaranteeAudit {
  /// What a promise rests on. Where one of them was false, a promise that was not kept is excused by its name.
  enum Premise: String, CaseIterable, Sendable {
    /// The phone was faster than the speed named.
    case tooFast
    /// A position lay farther from the zone than its error, by the zone's factor, allows.
    case wrongFix
    /// A fix came later than the receiver's time, or not at all.
    case slowFix
    /// The phone was faster than the motion hardware's word allows, and no word came within its delay.
    case untoldMotion
    /// The phone had rested for minutes or was on foot, and became faster than a pedestrian before the motion hardware
    /// said so.
    case suddenStart
    /// A fence that was left was reported later than its delay, or never.
    case lateFence
  }

  private let promises: [GroundTruth.Visit: Guarantee.Promise]
  private let journey: Journey
  private let distance: (ZoneID, Instant) -> Double
  private let assurance: (ZoneID) -> Assurance
  private let errorFactor: (Double) -> Double
  private let journal: WatchJournal
  private let parameters = CertifiedParameters()
  private let fixes: [(deliveredAt: Instant, measuredAt: Instant, position: Coordinate, accuracy: Double)]
  /// A zone waits for a better fix when this many metres, the accuracy times the factor, are exceeded.
  private static let fine = 30.0
  /// How long before a visit something can have misled, seconds; no promise is counted in more.
  private static let memory = 600.0
  /// So many right fixes in a row leave nothing of what a wrong one before them said.
  private static let rightInARow = 3
  /// Metres a second; a journey's speeds are rounded to milliseconds.
  private static let slack = 0.5

  /// - Parameters:
  ///   - promises: what was shown at the beginning of each visit.
  ///   - errorFactor: what the phone has learned of fixes that state so many metres, ``Timeline/errorFactor(ofRadius:)``.
  init(
    _ promises: [GroundTruth.Visit: Guarantee.Promise], journey: Journey, log: EventLog,
    journal: WatchJournal = WatchJournal(), assurance: @escaping (ZoneID) -> Assurance = { _ in .normal },
    errorFactor: @escaping (Double) -> Double = { _ in 1 },
    distance: @escaping (ZoneID, Instant) -> Double
  ) {
    self.promises = promises
    self.journey = journey
    self.journal = journal
    self.assurance = assurance
    self.errorFactor = errorFactor
    self.distance = distance
    fixes = log.compactMap { entry in
      guard case .fix(let place, let accuracy, let measuredAt, _) = entry.occurrence else { return nil }
      return (entry.time, measuredAt, place, accuracy)
    }
  }

  /// A stay went on for longer than promised without an alarm. One that is broken off by a moment outside the line
  /// that counts is no longer the same stay.
  func isBroken(_ outcome: Matching.Outcome) -> Bool {
    let visit = outcome.visit
    guard let promise = promises[visit] else { return false }
    let end = min(outcome.raisedAt ?? visit.exit, visit.exit)
    let error = decidingError(of: visit.zone, until: end)
    let line = promise.line == .insideByError ? -error : 0
    let allowed = promise.late + (error > Self.fine ? promise.coarse : .zero)
    let earliest = promise.after == .entry ? visit.entry : max(visit.entry, departure(before: visit.entry))
    var began: Instant?
    var time = earliest
    while time <= end {
      if distance(visit.zone, time) <= line {
        let since = began ?? time
        began = since
        if time - since > allowed { return true }
      } else {
        began = nil
      }
      time = time + .seconds(1)
    }
    return false
  }

  /// The first premise that was false about a visit; nil where all held.
  func falsePremise(_ outcome: Matching.Outcome) -> Premise? {
    guard let promise = promises[outcome.visit] else { return nil }
    let entry = outcome.visit.entry
    let span = (entry - .seconds(Self.memory))...max(entry, outcome.raisedAt ?? outcome.visit.exit)
    if isTooFast(span, promise) { return .tooFast }
    if hasWrongFix(span, outcome.visit) { return .wrongFix }
    if hasSlowFix((entry - parameters.coldFix * 2)...span.upperBound) { return .slowFix }
    if hasLateFence(span, assurance(outcome.visit.zone)) { return .lateFence }
    // Last, so that only what broke for no other reason is counted as told too late.
    if hasUntoldMotion(span) { return .untoldMotion }
    if let most = promise.unannounced, hasSuddenStart(span, over: most) { return .suddenStart }
    return nil
  }

  // MARK: Premises

  private func seconds(of span: ClosedRange<Instant>, _ holds: (Instant) -> Bool) -> Bool {
    var time = span.lowerBound
    while time <= span.upperBound {
      if holds(time) { return true }
      time = time + .seconds(1)
    }
    return false
  }

  private func isTooFast(_ span: ClosedRange<Instant>, _ promise: Guarantee.Promise) -> Bool {
    seconds(of: span) { journey.speed(at: $0) > promise.upTo }
  }

  /// Only what a position says too little counts: that the zone is farther than it was.
  private func hasWrongFix(_ span: ClosedRange<Instant>, _ visit: GroundTruth.Visit) -> Bool {
    var right = 0
    let known = fixes.filter { span.contains($0.measuredAt) }.sorted { $0.measuredAt < $1.measuredAt }
    for fix in known.reversed() {
      let error = fix.position.distance(to: journey.position(at: fix.measuredAt)).metres
      if error > factor(visit.zone) * fix.accuracy * min(1, errorFactor(fix.accuracy)) { return true }
      // A coarse fix tells nothing anew.
      if fix.measuredAt < visit.entry, fix.accuracy <= parameters.satelliteAccuracy.metres { right += 1 }
      if right >= Self.rightInARow { return false }
    }
    return false
  }

  private func hasSlowFix(_ span: ClosedRange<Instant>) -> Bool {
    journal.waits(until: span.upperBound).contains { wait in
      guard wait.to >= span.lowerBound, wait.from <= span.upperBound else { return false }
      // At rest a session is silent by nature, and nothing is entered.
      let moved = seconds(of: wait.from...wait.to) { journey.motion(at: $0) != .still }
      guard moved || !wait.isFollowing else { return false }
      if !wait.isAnswered { return true }
      let limit =
        wait.isFollowing ? parameters.sessionFix : wait.isHot ? parameters.hotFix : parameters.coldFix
      return (min(wait.to, span.upperBound) - wait.from) > limit + parameters.handling
    }
  }

  private func hasUntoldMotion(_ span: ClosedRange<Instant>) -> Bool {
    guard !journal.words.isEmpty else { return false }
    return seconds(of: span) { time in
      let speed = journey.speed(at: time).metresPerSecond
      guard speed > parameters.cap(journal.word(at: time)).metresPerSecond + Self.slack else { return false }
      let limit = time + (parameters.motionDelay + parameters.handling)
      return limit <= span.upperBound && !journal.words.contains { $0.at >= time && $0.at <= limit }
    }
  }

  private func hasSuddenStart(_ span: ClosedRange<Instant>, over most: Speed) -> Bool {
    seconds(of: span) { time in
      guard journey.speed(at: time).metresPerSecond > most.metresPerSecond + Self.slack else { return false }
      switch journal.word(at: time) {
      case .still, .walking, .running: return true
      case .unknown, .cycling, .driving: return false
      }
    }
  }

  private func hasLateFence(_ span: ClosedRange<Instant>, _ assurance: Assurance) -> Bool {
    let delay = assurance == .safety ? parameters.safetyFenceDelay : parameters.fenceDelay
    return journal.fences.contains { standing in
      let end = min(standing.to ?? span.upperBound, span.upperBound)
      guard end >= span.lowerBound, standing.from <= end else { return false }
      let reach = max(standing.fence.radius, parameters.smallestFence) + parameters.fenceCushion
      var outside = 0.0
      return seconds(of: max(standing.from, span.lowerBound - .seconds(Self.memory))...end) { time in
        let isOutside = journey.position(at: time).distance(to: standing.fence.center) > reach
        outside = isOutside ? outside + 1 : 0
        return outside > delay.seconds
      }
    }
  }

  private func factor(_ zone: ZoneID) -> Double {
    switch assurance(zone) {
    case .safety: 2.15
    case .normal: 1.73
    case .relaxed: 1
    }
  }

  /// Metres within which the last fix until then is right.
  private func decidingError(of zone: ZoneID, until time: Instant) -> Double {
    (fixes.last { $0.deliveredAt <= time }?.accuracy ?? 0) * factor(zone)
  }

  /// When the phone last began to move; ten minutes back are enough: no promise is counted in more.
  private func departure(before time: Instant) -> Instant {
    var moment = time
    let floor = time - .seconds(Self.memory)
    while moment > floor, journey.motion(at: moment) != .still { moment = moment - .seconds(1) }
    return moment
  }
}
