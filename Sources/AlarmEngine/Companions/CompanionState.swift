import Geometry

/// The state of a companion alarm after some of the fixes of both devices, in the order of their times.
///
/// Each accepted fix leads to two judgements by the rules of a zone (``ZoneAlarm``). The first is about the
/// *known* past: up to the time of the other device's last fix both paths are straight lines, so the distance
/// has no error beyond those of the fixes. The second is about the *present*, from the other device's last
/// position and an error that has grown since.
struct CompanionState: Hashable, Sendable {
  var watcher: CompanionTrack
  var target: CompanionTrack
  var alarm = ZoneAlarm()
  /// Nothing is judged before this time.
  var begins: Instant
  var hasBegun = false
  /// The time up to which both paths were compared.
  var knownThrough: Instant?
  /// The end of the last alarm; paths before it no longer count.
  var endedAt: Instant?
  var clock: Instant?

  init(begins: Instant, watcher: Settings, target: Settings) {
    self.init(
      watcher: CompanionTrack(settings: watcher), target: CompanionTrack(settings: target), begins: begins)
  }

  init(watcher: CompanionTrack, target: CompanionTrack, begins: Instant) {
    self.watcher = watcher
    self.target = target
    self.begins = begins
  }

  subscript(_ side: CompanionSide) -> CompanionTrack {
    get { side == .watcher ? watcher : target }
    set { if side == .watcher { watcher = newValue } else { target = newValue } }
  }
}

/// The rules of a companion alarm and the settings of both devices.
struct CompanionContext: Sendable {
  let rules: CompanionRules
  let watcher: Settings
  let target: Settings

  func settings(_ side: CompanionSide) -> Settings { side == .watcher ? watcher : target }
}

// MARK: Time

extension CompanionState {
  /// The next time at which something is decided without a fix.
  var nextTimer: Instant? {
    if !hasBegun { return begins }
    guard case .confirming(let confirmation) = alarm.phase else { return nil }
    return confirmation.deadline
  }

  mutating func letTimePass(through limit: Instant, _ context: CompanionContext, _ log: inout DecisionLog) {
    while let due = nextTimer, due <= limit {
      let now = max(due, clock ?? due)
      clock = now
      if !hasBegun {
        hasBegun = true
        judgePresent(at: now, learnedAt: learned(now), context, &log)
      } else {
        _ = alarm.wake(
          at: now, context.rules.zoneRules, notice: nil, learnedAt: learned(now), &log)
        noteEnd(log)
      }
    }
    clock = max(limit, clock ?? limit)
  }

  private func learned(_ now: Instant) -> Instant {
    max(now, watcher.anchor?.receivedAt ?? now, target.anchor?.receivedAt ?? now)
  }

  /// Returns the device whose position has been unknown for longest, and since when; nil while both are
  /// known.
  func unknown(at now: Instant, _ context: CompanionContext) -> (side: CompanionSide, since: Instant)? {
    var found: (side: CompanionSide, since: Instant)?
    for side in [CompanionSide.target, .watcher] {
      let since = self[side].anchor?.measuredAt ?? begins
      guard max(since, begins) + context.rules.horizon <= now else { continue }
      if let other = found, other.since <= since { continue }
      found = (side, since)
    }
    return found
  }

  /// Returns the next time at which the position of one of the devices becomes unknown.
  func nextUnknown(after now: Instant, _ context: CompanionContext) -> Instant? {
    var next: Instant?
    for side in [CompanionSide.watcher, .target] {
      let end = max(self[side].anchor?.measuredAt ?? begins, begins) + context.rules.horizon
      if end > now { next = next.map { min($0, end) } ?? end }
    }
    return next
  }
}

// MARK: A fix

extension CompanionState {
  mutating func take(
    _ fix: Fix, of side: CompanionSide, _ context: CompanionContext, _ log: inout DecisionLog
  ) {
    letTimePass(through: fix.measuredAt, context, &log)
    let (outcome, _) = self[side].tracking.take(fix, settings: context.settings(side))
    guard case .accepted(let released) = outcome else { return }
    let learnedAt = max(fix.measuredAt, fix.receivedAt)
    for case let accepted? in [released, fix] {
      self[side].append(accepted)
      compare(decidedAt: fix.measuredAt, learnedAt: learnedAt, context, &log)
    }
    judgePresent(at: fix.measuredAt, learnedAt: learnedAt, context, &log)
  }

  /// Judges the time since the last comparison of the paths.
  private mutating func compare(
    decidedAt now: Instant, learnedAt: Instant, _ context: CompanionContext, _ log: inout DecisionLog
  ) {
    guard let own = watcher.path.last, let other = target.path.last else { return }
    let end = min(own.measuredAt, other.measuredAt)
    guard let known = knownThrough else {
      knownThrough = end
      return
    }
    guard end > known else { return }
    defer {
      knownThrough = end
      watcher.forget(before: end)
      target.forget(before: end)
    }
    guard hasBegun, end >= begins, let here = watcher.place(at: end), let there = target.place(at: end),
      let ownEnds = watcher.surrounding(end), let otherEnds = target.surrounding(end)
    else { return }
    // Knowledge of this moment replaces an earlier guess about it. An alarm that rings on a guess is refuted
    // only by knowledge of a later moment; otherwise a person who comes nearer would be told twice.
    if case .ringing(let ringing) = alarm.phase, ringing.cause == .possible, end <= ringing.began { return }
    if case .confirming = alarm.phase { alarm.phase = .idle }
    let factor = Rule.errorFactor(context.rules.assurance)
    let ownError = error(at: end, ownEnds, context.watcher)
    let otherError = error(at: end, otherEnds, context.target)
    var evidence = Evidence(
      decidedAt: now, measuredAt: end, position: here, distance: here.distance(to: there),
      error: ownError.stated * factor + ownError.moved + otherError.stated * factor + otherError.moved,
      accuracy: ownError.stated + otherError.stated, level: context.rules.distance,
      reach: context.rules.distance, likelihood: nil, way: nil)
    evidence.weigh(ownError.stated, otherError.stated, ownError.moved + otherError.moved)
    if mayCross(evidence, since: known) { evidence.way = way(to: evidence, since: known, context) }
    judge(evidence, learnedAt: learnedAt, context, &log)
  }

  /// Returns the error of a position between two fixes: the stated error, and how far the device can have
  /// left the straight line if the fixes are far apart in time.
  private func error(
    at time: Instant, _ ends: (before: Fix, after: Fix), _ settings: Settings
  ) -> (stated: Distance, moved: Distance) {
    let stated = max(ends.before.radius(settings), ends.after.radius(settings))
    guard ends.after.measuredAt - ends.before.measuredAt > Rule.passingGap else { return (stated, .zero) }
    let beside = min(time - ends.before.measuredAt, ends.after.measuredAt - time)
    return (stated, settings.maximumSpeed * beside)
  }

  /// True if the distance can have crossed the level since `known`: it changes by at most the movements of
  /// both.
  private func mayCross(_ e: Evidence, since known: Instant) -> Bool {
    if e.distance <= e.level { return true }
    // 1 m and 0.1 % exceed by far the difference of arc and chord, for legs of up to 300 km.
    let moved = watcher.chords(since: known) + target.chords(since: known)
    return e.distance - moved * 1.001 - .metres(1) <= e.level
  }

  /// Returns both straight paths since `known`; nil if either has a gap too long to tell anything about the
  /// path.
  private func way(to e: Evidence, since known: Instant, _ context: CompanionContext) -> Evidence.Way? {
    var from = max(known, begins)
    if let endedAt { from = max(from, endedAt) }
    for track in [watcher, target] { if let first = track.path.first { from = max(from, first.measuredAt) } }
    guard from < e.measuredAt, e.measuredAt - from <= Rule.passingGap,
      watcher.isDense(in: from...e.measuredAt), target.isDense(in: from...e.measuredAt),
      let start = watcher.place(at: from), let startOther = target.place(at: from),
      let path = RelativePath(watcher, target, in: from...e.measuredAt, level: e.level),
      let closestPosition = watcher.place(at: path.closestAt)
    else { return nil }
    return Evidence.Way(
      from: from, fromDistance: start.distance(to: startOther), fromError: e.error, enteredAt: path.enteredAt,
      leftAt: path.leftAt, closest: path.closest, closestBeside: path.closest + e.error,
      closestAt: path.closestAt, closestPosition: closestPosition)
  }

  /// Judges the distance between the last positions, with how far each device can have moved since.
  private mutating func judgePresent(
    at now: Instant, learnedAt: Instant, _ context: CompanionContext, _ log: inout DecisionLog
  ) {
    guard hasBegun, now >= begins, let own = watcher.anchor, let other = target.anchor,
      now - own.measuredAt <= context.rules.horizon, now - other.measuredAt <= context.rules.horizon
    else { return }
    // Shortly after an alarm only knowledge begins another one, since guesses would ring again and again.
    if context.rules.trigger == .within, let endedAt, now - endedAt < Rule.passingGap {
      guard case .ringing = alarm.phase else { return }
    }
    let factor = Rule.errorFactor(context.rules.assurance)
    let (ownAge, otherAge) = (max(.zero, now - own.measuredAt), max(.zero, now - other.measuredAt))
    let reachable = context.watcher.maximumSpeed * ownAge + context.target.maximumSpeed * otherAge
    let moved = watcher.speed(context.watcher) * ownAge + target.speed(context.target) * otherAge
    let (ownRadius, otherRadius) = (own.radius(context.watcher), other.radius(context.target))
    var evidence = Evidence(
      decidedAt: now, measuredAt: now, position: own.position,
      distance: own.position.distance(to: other.position),
      error: (ownRadius + otherRadius) * factor + reachable, accuracy: ownRadius + otherRadius,
      level: context.rules.distance, reach: context.rules.distance, likelihood: nil, way: nil)
    if context.rules.trigger == .apart, evidence.distance > evidence.level {
      // Devices that travel together report at different times. They have parted only if the one cannot have
      // followed.
      let followed = context.rules.assurance == .safety ? min(reachable, moved * 2) : reachable
      guard evidence.distance - followed > evidence.level else { return }
    }
    evidence.weigh(ownRadius, otherRadius, moved)
    judge(evidence, learnedAt: learnedAt, context, &log)
  }

  private mutating func judge(
    _ evidence: Evidence, learnedAt: Instant, _ context: CompanionContext, _ log: inout DecisionLog
  ) {
    _ = alarm.take(evidence, context.rules.zoneRules, notice: nil, learnedAt: learnedAt, &log)
    noteEnd(log)
  }

  private mutating func noteEnd(_ log: DecisionLog) {
    for event in log.events.reversed() {
      guard case .cleared = event.kind else { continue }
      endedAt = max(endedAt ?? event.time, event.time)
      return
    }
  }
}

extension Evidence {
  /// Computes the probability that the devices are within the level; both errors are normal and independent.
  /// - Parameter moved: the distance that they seem to have moved since.
  fileprivate mutating func weigh(_ own: Distance, _ other: Distance, _ moved: Distance) {
    guard sighting == .unsure else { return }
    let square = own.metres * own.metres + other.metres * other.metres + moved.metres * moved.metres
    let deviation = Distance.metres((square / 2).squareRoot())
    likelihood = Likelihood(
      inside: Probability.insideCircle(radius: level, distance: distance, deviation: deviation),
      deviation: deviation)
  }
}

extension CompanionTrack {
  /// True if no gap between fixes is too long for a straight line.
  fileprivate func isDense(in span: ClosedRange<Instant>) -> Bool {
    for (former, next) in zip(path, path.dropFirst())
    where next.measuredAt > span.lowerBound && former.measuredAt < span.upperBound {
      if next.measuredAt - former.measuredAt > Rule.passingGap { return false }
    }
    return true
  }
}
