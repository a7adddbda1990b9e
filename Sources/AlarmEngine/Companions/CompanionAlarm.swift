import Geometry

/// An alarm about the distance between two devices: it rings when they come within it, or when they part.
///
/// The host keeps the fixes of both devices and passes all fixes from ``wantsFrom`` on, in any order. The
/// result depends only on the fixes and their times, not on the order in which they arrived.
/// ``Timeline/Change`` has the events that are new since the previous result, and those that proved wrong.
/// Fixes before ``wantsFrom`` are ignored.
///
/// The alarms have ids, begin and end like those of a zone (``ZoneAlarm``) with the id ``CompanionID/zone``
/// on the watcher's device. The host handles repeats, sleep and acknowledgements.
public struct CompanionAlarm: Sendable {
  let context: CompanionContext
  /// The state before all fixes from `keptFrom` on.
  var base: CompanionState
  /// Fixes before this time are forgotten; nil if none are.
  public internal(set) var keptFrom: Instant?
  /// The events reported since then.
  public internal(set) var events: [Event] = []
  /// The state after all fixes and timers.
  private(set) var head: CompanionState
  private(set) var now: Instant

  /// Fixes count if they are at most this late, as long as there are not too many of them.
  public static let lateness = TimeSpan.minutes(30)
  /// The greatest number of fixes of both devices together; with more, the older half is forgotten.
  public static let fixesAtMost = 1000

  public var rules: CompanionRules { context.rules }

  /// - Parameters:
  ///   - begins: nothing is judged before this time, but the last positions before it count.
  ///   - watcher: the settings of the watcher's device (speeds, unstated accuracies).
  ///   - target: those of the other device.
  public init(_ rules: CompanionRules, begins: Instant, watcher: Settings, target: Settings) {
    self.init(
      CompanionContext(rules: rules, watcher: watcher, target: target),
      CompanionState(begins: begins, watcher: watcher, target: target))
  }

  init(_ context: CompanionContext, _ base: CompanionState) {
    self.context = context
    self.base = base
    head = base
    now = base.clock ?? base.begins
  }

  /// The time from which the host passes fixes. Positions from shortly before the beginning say where the
  /// devices are.
  public var wantsFrom: Instant { keptFrom ?? base.begins - context.rules.horizon }

  /// Judges all fixes since ``wantsFrom``, and runs the timers up to `now`.
  ///
  /// Fixes further in the future than the clock allowance are left out.
  /// - Complexity: O(n log n) in the number of fixes.
  @discardableResult
  public mutating func judge(watcher: [Fix], target: [Fix], through now: Instant) -> Timeline.Change {
    let inputs = Self.ordered(watcher, target, from: wantsFrom, context)
    var change = Timeline.Change()
    var log = DecisionLog()
    let state = folded(inputs, through: now, &log)
    let told = log.events.filter(Self.isTold)
    change.compare(events, told[...])
    events = told
    head = state
    self.now = now
    forget(inputs)
    return change
  }

  private func folded(
    _ inputs: [(side: CompanionSide, fix: Fix)], through time: Instant, _ log: inout DecisionLog
  ) -> CompanionState {
    var state = base
    for (side, fix) in inputs { state.take(fix, of: side, context, &log) }
    state.letTimePass(through: time, context, &log)
    return state
  }

  private static func isTold(_ event: Event) -> Bool {
    switch event.kind {
    case .alarm, .cleared: true
    case .repeat, .missedSignal, .ignored, .perhaps, .notice, .proposal: false
    }
  }

  /// Orders fixes by time; at equal times the watcher's first, then by place.
  private static func ordered(
    _ watcher: [Fix], _ target: [Fix], from first: Instant, _ context: CompanionContext
  ) -> [(side: CompanionSide, fix: Fix)] {
    func usable(_ fixes: [Fix], _ side: CompanionSide) -> [(side: CompanionSide, fix: Fix)] {
      let allowance = context.settings(side).clockAllowance
      return fixes.filter { $0.measuredAt >= first && $0.measuredAt - $0.receivedAt <= allowance }
        .map { (side, $0) }
    }
    let all = usable(watcher, .watcher) + usable(target, .target)
    return all.stablySorted { a, b in
      if a.fix.measuredAt != b.fix.measuredAt { return a.fix.measuredAt < b.fix.measuredAt }
      if a.side != b.side { return a.side.rawValue < b.side.rawValue }
      return a.fix.orderKey.precedes(b.fix.orderKey)
    }
  }

  /// Moves the base forward if fixes are older than the allowed lateness, or too many.
  private mutating func forget(_ inputs: [(side: CompanionSide, fix: Fix)]) {
    guard let first = inputs.first?.fix.measuredAt else { return }
    var limit = now - Self.lateness
    // Forgetting repeats the computation, so it is not done each time.
    guard first < limit - Self.lateness || inputs.count > Self.fixesAtMost else { return }
    if inputs.count > Self.fixesAtMost {
      limit = max(limit, inputs[inputs.count - Self.fixesAtMost / 2].fix.measuredAt)
    }
    let until = min(limit, now)
    guard until > first else { return }
    var log = DecisionLog()
    for (side, fix) in inputs where fix.measuredAt < until { base.take(fix, of: side, context, &log) }
    keptFrom = until
    // The events of the forgotten fixes come first. Events of timers after the last forgotten fix are decided
    // again from the base.
    events.removeFirst(min(events.count, log.events.filter(Self.isTold).count))
  }
}

extension Fix {
  /// Orders fixes of one device and time.
  fileprivate var orderKey: FixOrder {
    FixOrder(
      latitude: position.latitude.degrees, longitude: position.longitude.degrees,
      accuracy: accuracy.stated?.metres ?? .infinity)
  }
}

private struct FixOrder {
  let latitude: Double
  let longitude: Double
  let accuracy: Double

  func precedes(_ other: Self) -> Bool {
    if latitude != other.latitude { return latitude < other.latitude }
    if longitude != other.longitude { return longitude < other.longitude }
    return accuracy < other.accuracy
  }
}

// MARK: Explanations

extension CompanionAlarm {
  /// Returns the explanation of the alarm or clearing reported within a tenth of a second of `time`,
  /// otherwise of the last evaluation up to `time`; nil if there was none, because one of the positions was
  /// unknown.
  ///
  /// Its `zone` is the companion's (``CompanionID/zone``), its distance that between the two devices.
  /// - Parameter end: fixes up to this time are used, since the later of two positions decides about the time
  ///   between.
  /// - Complexity: O(n log n) in the number of fixes.
  public func explanation(
    watcher: [Fix], target: [Fix], at time: Instant, through end: Instant
  ) -> Explanation? {
    let inputs = Self.ordered(watcher, target, from: wantsFrom, context)
    let printed = TimeSpan.milliseconds(100)
    let all = evaluations(of: inputs, through: max(time, end))
    let event = all.events.last {
      $0.time > time - printed && $0.time < time + printed && $0.isDecision(of: rules.companion.zone)
        && Self.isTold($0)
    }
    if let event {
      let decided = all.explanations.last {
        $0.decidedAt == event.decidedAt && event.isDecided(by: $0.verdict)
      }
      if let decided { return decided }
    }
    return evaluations(of: inputs, through: time).explanations.last
  }

  private func evaluations(
    of inputs: [(side: CompanionSide, fix: Fix)], through time: Instant
  ) -> DecisionLog {
    var log = DecisionLog()
    log.explained = rules.companion.zone
    _ = folded(inputs.filter { $0.fix.measuredAt <= time }, through: time, &log)
    return log
  }
}

// MARK: Current state

extension CompanionAlarm {
  /// The next time at which ``judge(watcher:target:through:)`` can decide something without a fix.
  public var nextDue: Instant? {
    let times = [head.nextTimer, head.nextUnknown(after: now, context)].compactMap { $0 }
    return times.min()
  }

  /// The device whose position is unknown, and since when; nil while both are known. The alarm cannot ring
  /// meanwhile.
  public var unknown: (side: CompanionSide, since: Instant)? { head.unknown(at: now, context) }

  /// The last known distance between the devices, and the time of the older one of the two positions; nil if
  /// one is unknown.
  public var apart: (distance: Distance, at: Instant)? {
    guard let own = head.watcher.anchor, let other = head.target.anchor else { return nil }
    return (own.position.distance(to: other.position), min(own.measuredAt, other.measuredAt))
  }

  /// The id of the ringing alarm; nil if none rings.
  public var ringing: AlarmID? {
    guard case .ringing(let ringing) = head.alarm.phase else { return nil }
    return ringing.alarm
  }
}
