import AlarmEngine
import Geometry

/// Checks whether a policy kept the promise that it showed at the beginning of a visit.
struct GuaranteeAudit {
  /// An assumption of a promise. A promise that was not kept is excused by the first assumption that was
  /// false.
  enum Premise: String, CaseIterable, Sendable {
    /// The phone was switched off while the stay ran.
    case switchedOff
    /// The phone was faster than the promise's speed limit.
    case tooFast
    /// The phone sped up faster than the promise's acceleration.
    case tooSudden
    /// A position was farther from the truth than its accuracy times the zone's factor allows.
    case wrongFix
    /// A fix took longer than the receiver's time allows, or never came.
    case slowFix
    /// The phone was faster than the last motion report allows, and no report came within its delay.
    case untoldMotion
    /// The phone had been still for minutes or on foot, and became faster than a pedestrian before a motion
    /// report.
    case suddenStart
    /// The exit from a fence was reported later than its delay, or never.
    case lateFence
  }

  private let promises: [GroundTruth.Visit: [Guarantee.Promise?]]
  private let journey: Journey
  private let distance: (ZoneID, Instant) -> Double
  private let assurance: (ZoneID) -> Assurance
  private let restarts: [Instant]
  private let additions: [ZoneID: Instant]
  private let errorFactor: (Double) -> Double
  private let journal: WatchJournal
  private let parameters = CertifiedParameters()
  private let fixes: [(deliveredAt: Instant, measuredAt: Instant, position: Coordinate, accuracy: Double)]
  /// A zone waits for a better fix if the accuracy times the factor exceeds this many metres.
  private static let fine = 30.0
  /// Metres beyond the line and the error at which a phone is clearly outside.
  private static let clearance = 20.0
  private static let betweenClearFixes = TimeSpan.seconds(10)
  /// Seconds before a visit in which a false assumption counts; no promise covers a longer time.
  private static let memory = 600.0
  /// After this many correct fixes in a row, an earlier wrong fix has no effect.
  private static let rightInARow = 3
  /// Metres a second of tolerance, because a journey's times are rounded to milliseconds.
  private static let slack = 0.5

  /// - Parameters:
  ///   - promises: the promises shown in each second of a visit, from its beginning on (for a zone that rings
  ///     after a stay, from the beginning of that stay), nil for none. The last one counts for the rest of the
  ///     visit.
  ///   - restarts: the times at which the phone was switched off and on again.
  ///   - additions: the times at which zones were added; the others are there from the start.
  ///   - errorFactor: the error factor learned for fixes of a given stated accuracy in metres,
  ///     ``Timeline/errorFactor(ofRadius:)``.
  init(
    _ promises: [GroundTruth.Visit: [Guarantee.Promise?]], journey: Journey, log: EventLog,
    journal: WatchJournal = WatchJournal(), assurance: @escaping (ZoneID) -> Assurance = { _ in .normal },
    restarts: [Instant] = [], additions: [ZoneID: Instant] = [:],
    errorFactor: @escaping (Double) -> Double = { _ in 1 },
    distance: @escaping (ZoneID, Instant) -> Double
  ) {
    self.promises = promises
    self.journey = journey
    self.journal = journal
    self.assurance = assurance
    self.restarts = restarts
    self.additions = additions
    self.errorFactor = errorFactor
    self.distance = distance
    fixes = log.compactMap { entry in
      guard case .fix(let place, let accuracy, let measuredAt, _) = entry.occurrence else { return nil }
      return (entry.time, measuredAt, place, accuracy)
    }
  }

  /// True if a stay lasted longer than promised without an alarm. A moment outside the line that counts ends
  /// the stay.
  func isBroken(_ outcome: Matching.Outcome) -> Bool { brokenPromise(outcome) != nil }

  /// The promise that was not kept: the one that was shown when a stay began that lasted longer than promised
  /// without an alarm.
  ///
  /// A stay counts by the best position that the phone had during the promised time, or next after it, where the
  /// stay has to be noticed: at its beginning. A position on the way out, hours later, says nothing of what the
  /// phone could know before.
  func brokenPromise(_ outcome: Matching.Outcome) -> Guarantee.Promise? {
    let visit = outcome.visit
    guard let shown = promises[visit], !shown.isEmpty, wasKnownInside(visit) else { return nil }
    // A zone that rings after a stay rings when the whole stay counts.
    let earliest = began(visit)
    let end = min(outcome.raisedAt ?? visit.exit, visit.exit)
    guard earliest <= end else { return nil }
    var depths = stride(from: 0, through: (end - earliest).seconds, by: 1).map {
      -distance(visit.zone, earliest + .seconds($0))
    }
    // A stay that ended too soon is over; another one in the same visit has a promise of its own.
    if visit.dwell > .zero { depths = Array(depths.prefix { $0 >= 0 }) }
    // A relaxed zone is left only when two positions are clearly outside (`docs/alarms.md`).
    let mustBeClear = visit.inside != nil && assurance(visit.zone) == .relaxed
    let clearance = mustBeClear ? Self.clearance : 0
    for start in depths.indices {
      guard let promise = shown[min(start, shown.count - 1)] else { continue }
      // A stay in a leave zone that is over sooner than it is promised to be noticed cannot be left.
      if let inside = visit.inside, inside < promise.late + promise.coarse { continue }
      let begin = earliest + .seconds(Double(start))
      // A promise from the departure on counts from then, by what is shown then.
      if promise.after == .departure, visit.inside == nil, visit.dwell == .zero,
        journey.motion(at: begin) == .still
      {
        continue
      }
      let promised = [(promise.late, Self.fine), (promise.late + promise.coarse, Double.infinity)]
      let isBroken = promised.contains { late, coarsest in
        let allowed = (visit.dwell + late).seconds
        let stay = depths[start...].prefix(Int(allowed) + 2)
        guard Double(stay.count - 1) > allowed, stay.allSatisfy({ $0 >= 0 }) else { return false }
        let error = leastError(
          of: visit.zone, begin...(begin + late), apart: mustBeClear ? Self.betweenClearFixes : nil)
        guard error <= coarsest else { return false }
        // Indoors no satellites can be had, which a promise from the edge on needs (`docs/watching.md`).
        let isIndoors = journey.surroundings(at: begin + .seconds(1)) == .indoors
        let line = promise.line == .insideByError || isIndoors ? error + clearance : 0
        return stay.allSatisfy { $0 >= line }
      }
      if isBroken { return promise }
    }
    return nil
  }

  /// True unless the visit leads out of a zone in which the phone was indoors, and no position had shown that it was
  /// in it. Such a zone is too small for the positions that can be had there, and promised nothing.
  private func wasKnownInside(_ visit: GroundTruth.Visit) -> Bool {
    guard let inside = visit.inside, journey.surroundings(at: began(visit) - inside * 0.5) == .indoors else {
      return true
    }
    // The phone was at least 15 m inside for that long, and was nearer to the line before and after.
    // Earlier positions tell nothing of a zone that was added later, but for the last one, which is judged then.
    let known = additions[visit.zone].flatMap { added in fixes.last { $0.deliveredAt <= added }?.measuredAt }
    let earliest = began(visit) - inside - .seconds(Self.memory)
    let span = min(max(earliest, known ?? earliest), began(visit))...began(visit)
    let within = fixes.filter { span.contains($0.measuredAt) }
    return within.isEmpty
      || within.contains { fix in
        let deviation = fix.position.distance(to: journey.position(at: fix.measuredAt)).metres
        return distance(visit.zone, fix.measuredAt) >= fix.accuracy * factor(visit.zone) + deviation
      }
  }

  /// The beginning of a visit, or of the stay after which its zone rings.
  private func began(_ visit: GroundTruth.Visit) -> Instant { visit.entry - visit.dwell }

  /// The first assumption that was false about a visit whose promise was broken; nil if all held.
  func falsePremise(_ outcome: Matching.Outcome) -> Premise? {
    guard let promise = brokenPromise(outcome) else { return nil }
    let entry = outcome.visit.entry
    let end = min(outcome.raisedAt ?? outcome.visit.exit, entry + .seconds(Self.memory))
    let span = (entry - .seconds(Self.memory))...max(entry, end)
    if restarts.contains(where: { (began(outcome.visit)...span.upperBound).contains($0) }) {
      return .switchedOff
    }
    if isTooFast(span, promise) { return .tooFast }
    if hasWrongFix(span, outcome.visit) { return .wrongFix }
    if hasSlowFix((entry - parameters.coldFix * 2)...span.upperBound) { return .slowFix }
    if hasLateFence(span, assurance(outcome.visit.zone)) { return .lateFence }
    // Checked late, so that only violations without any other reason are put down to motion reports.
    if hasUntoldMotion(span) { return .untoldMotion }
    if let most = promise.unannounced, hasSuddenStart(span, over: most) { return .suddenStart }
    if isTooSudden(span) { return .tooSudden }
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

  /// True if the phone gained more speed within a few seconds than the acceleration and the error of a stated speed
  /// allow.
  private func isTooSudden(_ span: ClosedRange<Instant>) -> Bool {
    let (step, error) = (TimeSpan.seconds(3), parameters.speedError.metresPerSecond)
    return seconds(of: span) {
      let gained = journey.speed(at: $0 + step).metresPerSecond - journey.speed(at: $0).metresPerSecond
      return gained > parameters.greatestAcceleration * (step.seconds + 1) + error
    }
  }

  /// True if a position was farther from the truth than its accuracy allows. The search goes back from the
  /// latest fix.
  private func hasWrongFix(_ span: ClosedRange<Instant>, _ visit: GroundTruth.Visit) -> Bool {
    var right = 0
    let known = fixes.filter { span.contains($0.measuredAt) }.sorted { $0.measuredAt < $1.measuredAt }
    for fix in known.reversed() {
      let error = fix.position.distance(to: journey.position(at: fix.measuredAt)).metres
      if error > factor(visit.zone) * fix.accuracy * min(1, errorFactor(fix.accuracy)) { return true }
      // Only fine fixes before the stay replace earlier ones.
      if fix.measuredAt < began(visit), fix.accuracy <= parameters.satelliteAccuracy.metres { right += 1 }
      if right >= Self.rightInARow { return false }
    }
    return false
  }

  private func hasSlowFix(_ span: ClosedRange<Instant>) -> Bool {
    journal.waits(until: span.upperBound).contains { wait in
      guard wait.to >= span.lowerBound, wait.from <= span.upperBound else { return false }
      // At rest a session gives no fixes, and no zone is entered.
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

  /// The least depth in metres that the positions show to be beyond the line: the error and the distance from
  /// the truth of the best fix that was delivered in a span. Without one, that of the next fix.
  ///
  /// The last fix before the span counts if the phone has not moved since.
  ///
  /// - Parameter apart: nil if one fix is enough. Otherwise the deviation of the worst of all fixes between two
  ///   that are so far apart in time, of the best such pair.
  private func leastError(
    of zone: ZoneID, _ span: ClosedRange<Instant>, apart: TimeSpan? = nil
  ) -> Double {
    var first = fixCount(until: span.lowerBound)
    if first > 0, isAtRest(from: fixes[first - 1].measuredAt, to: span.lowerBound) { first -= 1 }
    let last = fixCount(until: span.upperBound)
    // A fix of before that the system repeats tells nothing of a phone that has moved since.
    func isOfSpan(_ measuredAt: Instant) -> Bool {
      measuredAt >= span.lowerBound || isAtRest(from: measuredAt, to: span.lowerBound)
    }
    var known = fixes[first..<last].filter { isOfSpan($0.measuredAt) }
    if known.isEmpty, let next = fixes[last...].first(where: { isOfSpan($0.measuredAt) }) { known = [next] }
    let errors = known.map { fix in
      let deviation = fix.position.distance(to: journey.position(at: fix.measuredAt)).metres
      return (at: fix.measuredAt, metres: fix.accuracy * factor(zone) + deviation)
    }
    guard let apart else { return errors.map(\.metres).min() ?? 0 }
    var least = Double.infinity
    for (place, one) in errors.enumerated() {
      var worst = one.metres
      for other in errors[place...] {
        worst = max(worst, other.metres)
        guard other.at - one.at >= apart else { continue }
        least = min(least, worst)
        break
      }
    }
    return least.isFinite ? least : errors.map(\.metres).max() ?? 0
  }

  private func isAtRest(from start: Instant, to end: Instant) -> Bool {
    start <= end && !seconds(of: start...end) { journey.motion(at: $0) != .still }
  }

  /// The number of fixes delivered by `time`.
  private func fixCount(until time: Instant) -> Int {
    var (low, high) = (0, fixes.count)
    while low < high {
      let middle = (low + high) / 2
      if fixes[middle].deliveredAt <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
