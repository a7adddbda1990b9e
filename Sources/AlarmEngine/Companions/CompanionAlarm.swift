import Geometry

/// An alarm about the distance between two devices: it rings when they come within it, or when they part.
///
/// The host keeps the fixes of both devices and hands over all of them from ``keptFrom`` on, in any order; whichever
/// came last, the answer is what the same fixes give in the order of their times. What is new since the answer before,
/// and what turned out otherwise, is the ``Timeline/Change``. Fixes before ``keptFrom`` are not judged any more.
///
/// Alarms have ids and begin and end as those of a zone (``ZoneAlarm``) with the id ``CompanionID/zone`` on the
/// watcher's device. Repeats, sleep and acknowledgements are the host's.
public struct CompanionAlarm: Sendable {
  let context: CompanionContext
  /// The state before all fixes from `keptFrom` on.
  var base: CompanionState
  /// Fixes before this time are forgotten; nil while none are.
  public internal(set) var keptFrom: Instant?
  /// What was told of the time since.
  public internal(set) var events: [Event] = []
  /// The state after all fixes and timers.
  private(set) var head: CompanionState
  private(set) var now: Instant

  /// Fixes count although they come this late, while there are not too many of them.
  public static let lateness = TimeSpan.minutes(30)
  /// Of both devices together, that are kept.
  public static let fixesAtMost = 1000

  public var rules: CompanionRules { context.rules }

  /// - Parameters:
  ///   - begins: nothing is judged before this time. The last positions before it count.
  ///   - watcher: settings of the watcher's device, `target` those of the other: speeds and unstated accuracies.
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

  /// From when on the host hands over fixes: positions from shortly before the beginning say where the devices are.
  public var wantsFrom: Instant { keptFrom ?? base.begins - context.rules.horizon }

  /// Judges all fixes since ``wantsFrom``, and lets time pass up to `now`.
  ///
  /// Fixes from further in the future than a clock may be wrong are left out.
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

  /// By time; of one time the watcher's first, then by place.
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

  /// Moves the base up where fixes are older than they may be late, or too many.
  private mutating func forget(_ inputs: [(side: CompanionSide, fix: Fix)]) {
    guard let first = inputs.first?.fix.measuredAt else { return }
    var limit = now - Self.lateness
    // Forgetting computes the state again, so it is not done each time.
    guard first < limit - Self.lateness || inputs.count > Self.fixesAtMost else { return }
    if inputs.count > Self.fixesAtMost {
      limit = max(limit, inputs[inputs.count - Self.fixesAtMost / 2].fix.measuredAt)
    }
    let until = min(limit, now)
    guard until > first else { return }
    var log = DecisionLog()
    for (side, fix) in inputs where fix.measuredAt < until { base.take(fix, of: side, context, &log) }
    keptFrom = until
    // Those of the forgotten fixes come first. What timers decided after the last of them is decided again from the base.
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

// MARK: Why

extension CompanionAlarm {
  /// The record of what decided the alarm that is told at about a time (within a tenth of a second), and otherwise of the
  /// last evaluation up to then; nil where there was none, because one of the two places was not known.
  ///
  /// Its `zone` is the companion's (``CompanionID/zone``), its distance that between the two.
  /// - Parameter end: what happened between two positions is decided by the later one, which is measured until then.
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

// MARK: How things stand

extension CompanionAlarm {
  /// When ``judge(watcher:target:through:)`` has something to decide without a fix.
  public var nextDue: Instant? {
    let times = [head.nextTimer, head.nextUnknown(after: now, context)].compactMap { $0 }
    return times.min()
  }

  /// The device whose place is unknown, and since when; nil while both are known. Nothing can ring then.
  public var unknown: (side: CompanionSide, since: Instant)? { head.unknown(at: now, context) }

  /// The last known distance between the two and when the older of the two positions was measured; nil while one is
  /// not known.
  public var apart: (distance: Distance, at: Instant)? {
    guard let own = head.watcher.anchor, let other = head.target.anchor else { return nil }
    return (own.position.distance(to: other.position), min(own.measuredAt, other.measuredAt))
  }

  /// The alarm that rings; nil if none does.
  public var ringing: AlarmID? {
    guard case .ringing(let ringing) = head.alarm.phase else { return nil }
    return ringing.alarm
  }
}
