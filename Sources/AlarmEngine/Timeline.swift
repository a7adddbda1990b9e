import Geometry

/// All that is known of one device, in the order in which it happened.
///
/// Inputs may come in any order, late and more than once: each is put at its own time, and the stretch after it
/// is folded again from the last checkpoint before it. Whatever the order of arrival, ``events`` are the same.
public struct Timeline: Sendable {
  public let device: DeviceID
  /// What happened, in the order of decision.
  public private(set) var events: [Event] = []
  /// In folding order.
  private var inputs: [Input] = []
  private var checkpoints: [Checkpoint]
  /// After all inputs, before any time passed beyond them.
  private var head: DeviceAlarms
  /// How many of `events` the inputs account for; the rest came by letting time pass to `now`.
  private var settled = 0
  private var now: Instant?
  /// Inputs up to here have been forgotten.
  private var floor: Instant?

  private struct Checkpoint: Sendable {
    var inputs: Int
    var events: Int
    var state: DeviceAlarms
  }
  private static let stride = 256

  public init(device: DeviceID, settings: Settings, zones: [Zone], armed: Bool = true) {
    self.device = device
    head = DeviceAlarms(device: device, settings: settings, zones: zones, armed: armed)
    checkpoints = [Checkpoint(inputs: 0, events: 0, state: head)]
  }

  /// What an insertion changed.
  public struct Change: Equatable, Sendable {
    /// Events that are new, in order; a crossing learned late is among them with its true time.
    public var added: [Event] = []
    /// Events said earlier that turned out otherwise.
    public var retracted: [Event] = []
    /// Inputs that were there already or too old, with the reason; they change nothing.
    public var refused: [(fix: Fix, reason: Ignored)] = []

    public static func == (a: Self, b: Self) -> Bool {
      a.added == b.added && a.retracted == b.retracted && a.refused.count == b.refused.count
        && zip(a.refused, b.refused).allSatisfy { $0.fix == $1.fix && $0.reason == $1.reason }
    }
  }

  /// The zones that watch, the most urgent first.
  public var zones: [Zone] { head.zones.zones }

  /// Zones that have no area and therefore do not watch, with the reason.
  public var refusedZones: [(zone: ZoneID, error: ZoneError)] { head.zones.refused }

  /// Puts inputs at their own times.
  ///
  /// - Complexity: for inputs later than all others, linear in their number; else what lies after the earliest
  ///   of them is folded again.
  @discardableResult
  public mutating func insert(_ newInputs: [Input]) -> Change {
    var change = Change()
    let fresh = admit(newInputs, &change)
    guard let first = fresh.first else { return change }
    let former = inputs.count
    let place = mergePoint(of: first)
    if place == former {
      let before = Array(events[settled...])
      events.removeLast(events.count - settled)
      let start = events.count
      append(fresh)
      letTimePass()
      compare(before, Array(events[start...]), &change)
    } else {
      let checkpoint = checkpoints.last { $0.inputs <= place } ?? checkpoints[0]
      let before = Array(events[checkpoint.events...])
      let merged = Self.merge(Array(inputs[checkpoint.inputs...]), fresh)
      rewind(to: checkpoint)
      append(merged)
      letTimePass()
      compare(before, Array(events[checkpoint.events...]), &change)
    }
    return change
  }

  /// Lets time pass to `instant` with no further input: repeats, confirmations, dwells, schedules, lost signals.
  /// A time before the last input, or before an earlier call's, changes nothing.
  @discardableResult
  public mutating func advance(to instant: Instant) -> Change {
    guard now.map({ $0 < instant }) ?? true else { return Change() }
    now = instant
    let before = Array(events[settled...])
    events.removeLast(events.count - settled)
    letTimePass()
    var change = Change()
    compare(before, Array(events[settled...]), &change)
    return change
  }

  /// When ``advance(to:)`` would next do something, if no input comes before.
  public var nextDue: Instant? {
    var state = head
    var log = Log()
    if let now { state.letTimePass(through: now, &log) }
    return state.nextDue
  }

  /// Whether a fix now, or a better one, would settle something: a confirmation, a dwell, a way out, a suspect.
  public var wantsFix: Bool { head.wantsFix }

  /// The last fix that is believed.
  public var position: Fix? { head.tracking.anchor }

  /// When the phone will reach a zone's alert line, seen from the last fix that is believed, by the way since the
  /// one before; nil without two such fixes, more than five minutes apart, or for a zone that does not watch.
  public func timeToEntry(of zone: ZoneID) -> TimeToEntry? {
    guard let position = head.zones.position(of: zone), let last = head.tracking.anchor,
      let first = head.tracking.previous, last.measuredAt - first.measuredAt <= Rule.passingGap
    else { return nil }
    let rules = head.zones.rules[position]
    func measurement(_ fix: Fix) -> TimeToEntry.Measurement {
      let distance = head.zones.index.distance(from: fix.position, to: position).metres
      return TimeToEntry.Measurement(
        distance: .metres(distance - rules.alertDistance),
        error: .metres(Rule.errorFactor(rules.assurance) * fix.radius(head.settings)), at: fix.measuredAt)
    }
    return TimeToEntry(
      first: measurement(first), last: measurement(last), maximumSpeed: head.settings.maximumSpeed)
  }

  /// What each zone's alarm is doing, for zones that are not at rest.
  public var states: [(zone: ZoneID, state: AlarmState)] {
    head.alarms.keys.sorted().compactMap { position in
      guard let state = head.alarms[position]?.state, state != .idle else { return nil }
      return (head.zones.zones[position].id, state)
    }
  }

  /// How one zone was judged at every evaluation decided in `span`, in order.
  ///
  /// - Complexity: folds all inputs from the last checkpoint before `span` again.
  public func explanations(of zone: ZoneID, in span: ClosedRange<Instant>) -> [Explanation] {
    let start = inputs.partitioningIndex { $0.time >= span.lowerBound }
    let checkpoint = checkpoints.last { $0.inputs <= start } ?? checkpoints[0]
    var state = checkpoint.state
    var log = Log()
    log.explained = zone
    for input in inputs[checkpoint.inputs...] {
      if input.time > span.upperBound { break }
      state.apply(input, &log)
    }
    if let now, inputs.last.map({ $0.time <= span.upperBound }) ?? true {
      state.letTimePass(through: min(now, span.upperBound), &log)
    }
    return log.explanations.filter { span.contains($0.decidedAt) }
  }

  /// Forgets what lies before `instant`, as far as checkpoints allow; later inputs from that time are refused
  /// as too old. Bounds the memory of a device that reports for years.
  public mutating func forget(before instant: Instant) {
    let keep = inputs.partitioningIndex { $0.time >= instant }
    guard let base = checkpoints.last(where: { $0.inputs <= keep }), base.inputs > 0 else { return }
    floor = inputs[base.inputs - 1].time
    inputs.removeFirst(base.inputs)
    events.removeFirst(base.events)
    settled -= base.events
    checkpoints = checkpoints.filter { $0.inputs >= base.inputs }.map {
      Checkpoint(inputs: $0.inputs - base.inputs, events: $0.events - base.events, state: $0.state)
    }
  }
}

// MARK: Folding

extension Timeline {
  private mutating func append(_ ordered: [Input]) {
    var log = Log()
    for input in ordered {
      if inputs.count % Self.stride == 0, inputs.count > (checkpoints.last?.inputs ?? 0) {
        checkpoints.append(
          Checkpoint(inputs: inputs.count, events: events.count + log.events.count, state: head))
      }
      head.apply(input, &log)
      inputs.append(input)
    }
    events += log.events
    settled = events.count
  }

  private mutating func rewind(to checkpoint: Checkpoint) {
    inputs.removeLast(inputs.count - checkpoint.inputs)
    events.removeLast(events.count - checkpoint.events)
    while let last = checkpoints.last, last.inputs > checkpoint.inputs { checkpoints.removeLast() }
    head = checkpoint.state
  }

  private mutating func letTimePass() {
    guard let now else { return }
    var state = head
    var log = Log()
    state.letTimePass(through: now, &log)
    events += log.events
  }

  /// Sorts out duplicates and the too old; what is left comes in folding order.
  private func admit(_ newInputs: [Input], _ change: inout Change) -> [Input] {
    var fresh: [Input] = []
    for input in newInputs.stablySorted(by: { $0.precedes($1) }) {
      guard case .fix(let fix) = input else {
        fresh.append(input)
        continue
      }
      if let floor, fix.measuredAt <= floor {
        change.refused.append((fix, .tooOld))
        continue
      }
      if case .fix(let last)? = fresh.last, last.isSame(as: fix) {
        change.refused.append((fix, .duplicate))
        if fix.preferred(to: last) { fresh[fresh.count - 1] = input }
        continue
      }
      if let known = known(fix), !fix.preferred(to: known) {
        change.refused.append((fix, .duplicate))
        continue
      }
      fresh.append(input)
    }
    return fresh
  }

  /// The stored report of the same measurement.
  private func known(_ fix: Fix) -> Fix? {
    var place = inputs.partitioningIndex { !$0.precedes(.fix(fix)) }
    while place < inputs.count, inputs[place].time == fix.measuredAt {
      if case .fix(let other) = inputs[place], other.isSame(as: fix) { return other }
      place += 1
    }
    return nil
  }

  /// The first stored input that must be folded after `input`.
  private func mergePoint(of input: Input) -> Int {
    var place = inputs.partitioningIndex { input.precedes($0) }
    if case .fix(let fix) = input {
      // A preferred report of a known measurement replaces it, which lies before.
      while place > 0, case .fix(let other) = inputs[place - 1], other.isSame(as: fix) { place -= 1 }
    }
    return place
  }

  /// Both ascending; of equals the old come first, and of two reports of one measurement the preferred stays.
  private static func merge(_ old: [Input], _ fresh: [Input]) -> [Input] {
    var merged: [Input] = []
    merged.reserveCapacity(old.count + fresh.count)
    func add(_ input: Input) {
      if case .fix(let fix) = input, case .fix(let last)? = merged.last, last.isSame(as: fix) {
        if fix.preferred(to: last) { merged[merged.count - 1] = input }
        return
      }
      merged.append(input)
    }
    var (i, j) = (0, 0)
    while i < old.count || j < fresh.count {
      if j == fresh.count || (i < old.count && !fresh[j].precedes(old[i])) {
        add(old[i])
        i += 1
      } else {
        add(fresh[j])
        j += 1
      }
    }
    return merged
  }

  /// Fills in what is new and what turned out otherwise.
  private func compare(_ before: [Event], _ after: [Event], _ change: inout Change) {
    var common = 0
    while common < min(before.count, after.count), before[common] == after[common] { common += 1 }
    let old = before[common...]
    let new = after[common...]
    let had = Set(old)
    let has = Set(new)
    change.added += new.filter { !had.contains($0) }
    change.retracted += old.filter { !has.contains($0) }
  }
}

extension DeviceAlarms {
  var wantsFix: Bool { suspectIsNearZone || alarms.values.contains { $0.wantsFix } }

  /// A fix in quarantine lies where a zone would ring.
  var suspectIsNearZone: Bool {
    guard let suspect = tracking.suspect else { return false }
    return zones.index.within(.metres(zones.farthestAlert), of: suspect.position).contains {
      offDuty($0.zone, at: suspect.measuredAt) == nil
    }
  }
}

extension Array {
  /// The first index at which `predicate` holds, in an array where it holds from some index on.
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Sorted, equal elements in their former order.
  func stablySorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted {
      if precedes($0.element, $1.element) { return true }
      if precedes($1.element, $0.element) { return false }
      return $0.offset < $1.offset
    }.map { $0.element }
  }
}

extension Timeline {
  /// The zones as they stand after the last input, for a watch policy deciding at `now`.
  public func surroundings(at now: Instant) -> Surroundings {
    Surroundings(
      zones: head.zones, alarms: head.alarms, armed: head.armed, now: now,
      suspectIsNearZone: head.suspectIsNearZone)
  }
}
