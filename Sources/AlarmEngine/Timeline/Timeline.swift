import Geometry

/// Everything that is known about one device, in the order in which it happened.
///
/// Inputs may arrive in any order, late and repeatedly. Each is inserted at its own time, and the state is
/// computed again from the last checkpoint before it. ``events`` are the same for every order of arrival.
///
/// ## A server's devices
///
/// The caller stores all inputs, alarms and, for each device, a snapshot; the timeline need not stay in memory.
///
/// 1. *Begin.* ``init(device:settings:watched:armed:)`` with the account's one ``WatchedZones``, which all its devices
///    share; or ``init(snapshot:device:settings:zones:)`` with the bytes stored last. A device that is nowhere near
///    its zones takes some 600 bytes of memory, however many zones there are, and some 200 as a snapshot.
/// 2. *Insert.* ``insert(_:)`` for fixes, answers to alarms and edits; ``advance(to:)`` when ``nextDue`` has
///    come. The ``Change`` lists the events to report, and reported events that did not happen after all.
/// 3. *Forget.* ``forget(before:keeping:)`` after each batch: it drops reported events from memory, and keeps
///    a few inputs, among which late ones can be inserted. It bounds the memory of a device that reports for
///    years.
/// 4. *Store.* In one transaction: the inputs, the alarms of the `Change`, ``snapshot()``, ``nextDue``. Then
///    the timeline can be released; a restored one behaves the same.
/// 5. *Late.* If ``Change/neededFrom`` is not nil, an input came from a time that was forgotten. Take the
///    last stored snapshot whose ``keptFrom`` is nil or not after that time (keep one a day, for as long as
///    late inputs shall count), restore it, and insert the inputs with ``insert(late:stored:from:)``.
///    Snapshots whose ``keptFrom`` is after that time lack these inputs: delete them in the same transaction.
/// 6. *Edit.* Build the next zones with `WatchedZones(..., replacing: former)` once, and insert
///    `Command.replaceZones` for every device in the transaction that stores the zones. The former set is
///    needed until all devices have a snapshot without it (``zoneRevisions``).
/// 7. *Explain.* For a span of time that was forgotten: restore an earlier snapshot, insert the stored
///    inputs, call ``explanations(of:in:)``.
public struct Timeline: Sendable {
  public let device: DeviceID
  /// The events that are not forgotten, in the order of decision.
  public internal(set) var events: [Event] = []
  /// The inputs that are not forgotten, in the order in which they are applied.
  var inputs: [Input] = []
  /// The state before the first of `inputs`.
  var base: CopyOnWrite<DeviceAlarms>
  /// States between inputs.
  var checkpoints: [Checkpoint] = []
  /// The state after all inputs, before any later timer.
  var head: CopyOnWrite<DeviceAlarms>
  /// The state at `now`, if a timer was due between the last input and `now`.
  var present: CopyOnWrite<DeviceAlarms>?
  /// The number of `events` that come from inputs; the others come from timers after the last input.
  var settled = 0
  var now: Instant?
  /// The signal does not count as lost before this time, nor before `Settings.signalTimeout` after the last
  /// fix; nil if the fixes alone decide.
  ///
  /// A host that receives fixes late sets it to the time at which it last heard from the device, plus the
  /// usual silence of the device. It affects only the time after the last input, is no input itself, and is
  /// in no snapshot.
  public var signalExpectedBy: Instant?
  /// Inputs before this time are forgotten, and refused as too old if they come again; nil if nothing is
  /// forgotten.
  public internal(set) var keptFrom: Instant?

  struct Checkpoint: Sendable {
    var inputs: Int
    var events: Int
    var state: CopyOnWrite<DeviceAlarms>
  }

  /// - Parameter zones: prepared for this device alone. If several devices watch the same zones, prepare them
  ///   once and use ``init(device:settings:watched:armed:)``.
  public init(device: DeviceID, settings: Settings, zones: [Zone], armed: Bool = true) {
    self.init(
      device: device, settings: settings,
      watched: WatchedZones(zones, defaultRadius: settings.defaultRadius), armed: armed)
  }

  /// - Parameter watched: may be shared with other devices; its default radius counts, not that of `settings`.
  public init(device: DeviceID, settings: Settings, watched: WatchedZones, armed: Bool = true) {
    self.init(
      base: DeviceAlarms(device: device, settings: settings, zones: watched, armed: armed))
  }

  init(base: DeviceAlarms) {
    device = base.device
    self.base = CopyOnWrite(base)
    head = self.base
  }

  /// The last checkpoint after at most so many inputs.
  func checkpoint(atMost inputs: Int) -> Checkpoint {
    checkpoints.last { $0.inputs <= inputs } ?? Checkpoint(inputs: 0, events: 0, state: base)
  }

  /// Inserts inputs at their own times.
  ///
  /// A fix or command that is known already changes nothing. Neither does an answer to an alarm that is
  /// unknown or over.
  /// - Complexity: linear in the number of inputs if they are later than all others. Otherwise the state is
  ///   computed again from the earliest of them.
  @discardableResult
  public mutating func insert(_ newInputs: [Input]) -> Change {
    var change = Change()
    let isLatest = isOneLaterThanAll(newInputs)
    let fresh = isLatest ? newInputs : admit(newInputs, &change)
    guard !fresh.isEmpty else { return change }
    let former = inputs.count
    let place = isLatest ? former : inputs.place(of: fresh[0])
    if place == former {
      let start = settled
      let before = start < events.count ? Array(events[start...]) : []
      if !before.isEmpty { events.removeLast(before.count) }
      append(fresh)
      letTimePass()
      if !before.isEmpty || start < events.count { change.compare(before, events[start...]) }
    } else {
      let checkpoint = checkpoint(atMost: place)
      let before = Array(events[checkpoint.events...])
      let merged = Array(inputs[checkpoint.inputs...]).merged(with: fresh)
      rewind(to: checkpoint)
      append(merged)
      letTimePass()
      change.compare(before, events[checkpoint.events...])
    }
    return change
  }

  /// True for a single input that is later than all others and not too old, which is the usual case.
  private func isOneLaterThanAll(_ newInputs: [Input]) -> Bool {
    guard newInputs.count == 1, inputs.last.map({ $0.time < newInputs[0].time }) ?? true else { return false }
    return keptFrom.map { $0 <= newInputs[0].time } ?? true
  }

  /// Removes duplicates and inputs that are too old. The others are returned in the order in which they are
  /// applied.
  private func admit(_ newInputs: [Input], _ change: inout Change) -> [Input] {
    var fresh: [Input] = []
    fresh.reserveCapacity(newInputs.count)
    for input in newInputs.stablySorted(by: { $0.precedes($1) }) {
      if let keptFrom, input.time < keptFrom {
        refuse(input, &change)
        continue
      }
      guard case .fix(let fix) = input else {
        if !inputs.isKnown(input), !fresh.suffix(while: { $0.time == input.time }).contains(input) {
          fresh.append(input)
        }
        continue
      }
      if case .fix(let last)? = fresh.last, last.isSame(as: fix) {
        change.refused.append((fix, .duplicate))
        if fix.preferred(to: last) { fresh[fresh.count - 1] = input }
        continue
      }
      if let known = inputs.known(fix), !fix.preferred(to: known) {
        change.refused.append((fix, .duplicate))
        continue
      }
      fresh.append(input)
    }
    return fresh
  }

  /// Refuses an input that is too old. The last fixes are known even if their inputs are forgotten; they are
  /// sent again most often, and count as duplicates.
  private func refuse(_ input: Input, _ change: inout Change) {
    switch input {
    case .fix(let fix):
      let tracking = base.value.tracking
      let known = [tracking.anchor, tracking.previous, tracking.suspect]
      if known.contains(where: { $0.map { $0.isSame(as: fix) && !fix.preferred(to: $0) } ?? false }) {
        change.refused.append((fix, .duplicate))
        return
      }
      change.refused.append((fix, .tooOld))
    case .command(let command, let at): change.refusedCommands.append((command, at))
    }
    change.neededFrom = min(change.neededFrom ?? input.time, input.time)
  }

  /// Goes back to an earlier state.
  private mutating func rewind(to checkpoint: Checkpoint) {
    inputs.removeLast(inputs.count - checkpoint.inputs)
    events.removeLast(events.count - checkpoint.events)
    while let last = checkpoints.last, last.inputs > checkpoint.inputs { checkpoints.removeLast() }
    head = checkpoint.state
  }

  /// The number of inputs between two checkpoints.
  private static let stride = 256

  /// Applies inputs that come after all others.
  mutating func append(_ ordered: [Input]) {
    var log = DecisionLog()
    for place in ordered.indices {
      if inputs.count % Self.stride == 0, inputs.count > (checkpoints.last?.inputs ?? 0) {
        checkpoints.append(
          Checkpoint(inputs: inputs.count, events: events.count + log.events.count, state: bareHead))
      }
      head.value.apply(ordered[place], &log)
      inputs.append(ordered[place])
    }
    if !log.events.isEmpty { events += log.events }
    settled = events.count
  }

  /// Drops the distances, which are measured again when they are needed, so that checkpoints stay small if
  /// there are many zones.
  private var bareHead: CopyOnWrite<DeviceAlarms> {
    guard !head.value.distances.isEmpty else { return head }
    var state = head.value
    state.distances = []
    return CopyOnWrite(state)
  }

  /// Runs the timers that are due between the last input and `now`.
  mutating func letTimePass() {
    present = nil
    guard let now, let due = head.value.nextDue(signalExpectedBy: signalExpectedBy), due <= now else {
      return
    }
    var state = head
    var log = DecisionLog()
    state.value.letTimePass(through: now, signalExpectedBy: signalExpectedBy, &log)
    events += log.events
    present = state
  }

  /// Runs the timers that are due up to `instant`: repeats, confirmations, dwells, schedules, lost signals. A
  /// time before the last input, or before that of an earlier call, changes nothing.
  ///
  /// - Complexity: linear in the alarms that are not at rest and in the timers that are due.
  @discardableResult
  public mutating func advance(to instant: Instant) -> Change {
    var change = Change()
    guard now.map({ $0 < instant }) ?? true else { return change }
    now = instant
    guard let due = nextDue, due <= instant else { return change }
    var log = DecisionLog()
    if present == nil { present = head }
    present?.value.letTimePass(through: instant, signalExpectedBy: signalExpectedBy, &log)
    events += log.events
    change.added = log.events
    return change
  }

  /// The time at which ``advance(to:)`` next has a timer to run, if no input comes before.
  public var nextDue: Instant? { (present ?? head).value.nextDue(signalExpectedBy: signalExpectedBy) }
}

// MARK: Queries

extension Timeline {
  /// The zones that are watched, the most urgent first.
  public var zones: ZoneList { head.value.zones.zones }

  /// The prepared zones, from which the next set is built after an edit.
  public var watched: WatchedZones { head.value.zones }

  /// True if the device's alarms are switched on.
  public var armed: Bool { head.value.armed }

  /// Zones that cannot be watched, with the reason.
  public var refusedZones: [(zone: ZoneID, error: ZoneError)] { head.value.zones.refused }

  /// True if a fix now, or a better one, would decide something: a confirmation, a dwell, a departure, a
  /// suspected outlier. Evaluated after the timers that have run: a confirmation whose time is over needs no
  /// fix.
  public var wantsFix: Bool { (present ?? head).value.wantsFix }

  /// The last accepted fix.
  public var position: Fix? { head.value.tracking.anchor }

  /// A quarantined fix after the last accepted one: reaching it needs more than the allowed speed. The next
  /// fix decides whether it was an outlier.
  public var suspect: Fix? { head.value.tracking.suspect }

  /// True if a fix of the last two minutes before `now` shows movement: it states at least 0.7 m/s, or lies farther from
  /// where the phone rested than the errors of both positions explain.
  public func isMoving(at now: Instant) -> Bool {
    (present ?? head).value.tracking.movement.isMoving(at: now)
  }

  /// When the phone will reach a zone's alert line, from the last accepted fix and the speed since the one
  /// before. Nil if there are no two such fixes, if they are more than five minutes apart, or if the zone is
  /// not watched.
  public func timeToEntry(of zone: ZoneID) -> TimeToEntry? {
    let head = head.value
    guard let slot = head.zones.slot(of: zone), let last = head.tracking.anchor,
      let first = head.tracking.previous, last.measuredAt - first.measuredAt <= Rule.passingGap
    else { return nil }
    let rules = head.zones.rules(of: slot)
    func measurement(_ fix: Fix) -> TimeToEntry.Measurement {
      TimeToEntry.Measurement(
        distance: head.zones.distance(from: fix.position, to: slot) - rules.alertDistance,
        error: fix.radius(head.settings) * Rule.errorFactor(rules.assurance), at: fix.measuredAt)
    }
    return TimeToEntry(
      first: measurement(first), last: measurement(last), maximumSpeed: head.settings.maximumSpeed)
  }

  /// The state of each zone's alarm that is not at rest, after the timers that have run.
  public var states: [(zone: ZoneID, state: AlarmState)] {
    let present = (present ?? head).value
    return present.alarms.slots.compactMap { slot in
      guard let state = present.alarms[slot]?.state, state != .idle else { return nil }
      return (present.zones[slot].id, state)
    }
  }

  /// When and why a zone's alarm began to ring, and whether its notification was closed; nil if there is no alarm.
  public func standing(of zone: ZoneID) -> (began: Instant, cause: Cause, isClosed: Bool)? {
    let present = (present ?? head).value
    guard let slot = present.zones.slot(of: zone),
      case .ringing(let ringing)? = present.alarms[slot]?.phase
    else { return nil }
    return (ringing.began, ringing.cause, ringing.closed)
  }

  /// The zones and their alarms after the timers that have run, for a watch policy that decides at `now`.
  public func surroundings(at now: Instant) -> Surroundings {
    let state = (present ?? head).value
    return Surroundings(
      zones: state.zones, alarms: state.alarms, armed: state.armed, now: now,
      suspectIsNearZone: state.suspectIsNearZone, errors: state.tracking.sensors.errorFactors)
  }

  /// The factor by which the radius that a fix of this device states has to be multiplied to hold the phone
  /// as often as a radius of satellites does: 1 up to 50 m, and for coarser ones as learned from the device's
  /// own fixes.
  public func errorFactor(ofRadius radius: Distance) -> Double {
    head.value.tracking.sensors.errorFactors.factor(ofRadius: radius)
  }

  /// All evaluations of one zone that were decided in `span`, in order.
  ///
  /// - Complexity: applies all inputs from the last checkpoint before `span` again.
  public func explanations(of zone: ZoneID, in span: ClosedRange<Instant>) -> [Explanation] {
    let start = inputs.partitioningIndex { $0.time >= span.lowerBound }
    let checkpoint = checkpoint(atMost: start)
    var state = checkpoint.state.value
    var log = DecisionLog()
    log.explained = zone
    if let record = state.recordOfJump(for: zone) { log.explanations.append(record) }
    for input in inputs[checkpoint.inputs...] where input.time <= span.upperBound {
      state.apply(input, &log)
    }
    // Timers that are due before the next input decide as well.
    let isLast = inputs.last.map { $0.time <= span.upperBound } ?? true
    if !isLast {
      state.letTimePass(through: span.upperBound, &log)
    } else if let now {
      state.letTimePass(
        through: min(now, span.upperBound), signalExpectedBy: signalExpectedBy, &log)
    }
    return log.explanations.filter { span.contains($0.decidedAt) }
  }
}
