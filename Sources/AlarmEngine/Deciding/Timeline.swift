import Geometry

/// All that is known of one device, in the order in which it happened.
///
/// Inputs may come in any order, late and more than once: each is put at its own time, and the stretch after it
/// is folded again from the last checkpoint before it. Whatever the order of arrival, ``events`` are the same.
///
/// ## A server's devices
///
/// The caller stores all inputs, alarms and, for each device, a snapshot; the timeline need not stay in memory.
///
/// 1. *Begin.* ``init(device:settings:watched:armed:)`` with the account's one ``WatchedZones``, which all its devices
///    share; or ``init(snapshot:device:settings:zones:)`` with the bytes stored last. A device that is nowhere near
///    its zones takes some 600 bytes of memory, however many zones there are, and some 200 as a snapshot.
/// 2. *Take.* ``insert(_:)`` for fixes, answers to alarms and edits; ``advance(to:)`` when ``nextDue`` has come. The
///    ``Change`` says what to tell people, and what was told that turned out otherwise.
/// 3. *Forget.* ``forget(before:keeping:)`` after each batch: what was told is dropped from memory, a few inputs stay
///    for those that come late. It bounds the memory of a device that reports for years.
/// 4. *Store.* In one transaction: the inputs, the alarms of the `Change`, ``snapshot()``, ``nextDue``. Then the
///    timeline may go; restored, it answers as if it had never gone.
/// 5. *Late.* Where ``Change/neededFrom`` is not nil, something came from a time that was forgotten. Take the last
///    stored snapshot whose ``keptFrom`` is nil or not after that time (keep one a day, for as long as late inputs
///    shall count), restore it, and let ``insert(late:stored:from:)`` put the inputs where they belong. Snapshots
///    whose ``keptFrom`` is after that time know nothing of them: delete those in the same transaction.
/// 6. *Edit.* Build the next zones with `WatchedZones(..., replacing: former)` once, insert `Command.replaceZones` for
///    every device in the transaction that stores the zones. The former set is needed until all of them have a
///    snapshot without it (``zoneRevisions``).
/// 7. *Explain.* For a stretch that was forgotten: restore an earlier snapshot, insert the stored inputs, ask
///    ``explanations(of:in:)``.
public struct Timeline: Sendable {
  public let device: DeviceID
  /// What happened, in the order of decision, as far as it is not forgotten.
  public internal(set) var events: [Event] = []
  /// In folding order.
  var inputs: [Input] = []
  /// The first is before all inputs.
  var checkpoints: [Checkpoint]
  /// After all inputs, before any time passed beyond them.
  var head: CopyOnWrite<DeviceAlarms>
  /// `head` at `now`, where something fell due in between.
  var present: CopyOnWrite<DeviceAlarms>?
  /// How many of `events` the inputs account for; the rest came by letting time pass to `now`.
  var settled = 0
  var now: Instant?
  /// Inputs from before this are forgotten, and refused as too old when they come again; nil when nothing is.
  public internal(set) var keptFrom: Instant?

  struct Checkpoint: Sendable {
    var inputs: Int
    var events: Int
    var state: CopyOnWrite<DeviceAlarms>
  }

  /// - Parameter zones: made ready for this device alone; where several devices watch the same zones, make them ready
  ///   once (``init(device:settings:watched:armed:)``).
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
    head = CopyOnWrite(base)
    checkpoints = [Checkpoint(inputs: 0, events: 0, state: head)]
  }

  /// What an insertion changed.
  public struct Change: Equatable, Sendable {
    /// Events that are new, in order; a crossing learned late is among them with its true time.
    public var added: [Event] = []
    /// Events said earlier that turned out otherwise.
    public var retracted: [Event] = []
    /// Fixes that were there already or too old, with the reason; they change nothing.
    public var refused: [(fix: Fix, reason: Ignored)] = []
    /// Commands too old; they change nothing.
    public var refusedCommands: [(command: Command, at: Instant)] = []
    /// The earliest time of what was too old. It is not lost: see ``Timeline/insert(late:stored:from:)``.
    public var neededFrom: Instant?

    /// Nothing changed.
    public init() {}

    public static func == (a: Self, b: Self) -> Bool {
      a.added == b.added && a.retracted == b.retracted && a.neededFrom == b.neededFrom
        && a.refused.count == b.refused.count && a.refusedCommands.count == b.refusedCommands.count
        && zip(a.refused, b.refused).allSatisfy { $0.fix == $1.fix && $0.reason == $1.reason }
        && zip(a.refusedCommands, b.refusedCommands).allSatisfy { $0.command == $1.command && $0.at == $1.at }
    }
  }

  /// Puts inputs at their own times.
  ///
  /// A fix or a command that is there already changes nothing, nor does an answer to an alarm that is unknown or over.
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
  ///
  /// - Complexity: linear in the alarms that are not at rest and in what falls due.
  @discardableResult
  public mutating func advance(to instant: Instant) -> Change {
    var change = Change()
    guard now.map({ $0 < instant }) ?? true else { return change }
    now = instant
    guard let due = nextDue, due <= instant else { return change }
    var log = Log()
    if present == nil { present = head }
    present?.value.letTimePass(through: instant, &log)
    events += log.events
    change.added = log.events
    return change
  }

  /// When ``advance(to:)`` would next do something, if no input comes before.
  public var nextDue: Instant? { (present ?? head).value.nextDue }
}

// MARK: How things stand

extension Timeline {
  /// The zones that watch, the most urgent first.
  public var zones: [Zone] { head.value.zones.zones }

  /// The same with what was made ready for watching them: what the next set is built from after an edit.
  public var watched: WatchedZones { head.value.zones }

  /// Whether the device's alarms are switched on.
  public var armed: Bool { head.value.armed }

  /// Zones that have no area and therefore do not watch, with the reason.
  public var refusedZones: [(zone: ZoneID, error: ZoneError)] { head.value.zones.refused }

  /// Whether a fix now, or a better one, would settle something: a confirmation, a dwell, a way out, a suspect.
  public var wantsFix: Bool { head.value.wantsFix }

  /// The last fix that is believed.
  public var position: Fix? { head.value.tracking.anchor }

  /// When the phone will reach a zone's alert line, seen from the last fix that is believed, by the way since the
  /// one before; nil without two such fixes, more than five minutes apart, or for a zone that does not watch.
  public func timeToEntry(of zone: ZoneID) -> TimeToEntry? {
    let head = head.value
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
    let head = head.value
    return head.alarms.keys.sorted().compactMap { position in
      guard let state = head.alarms[position]?.state, state != .idle else { return nil }
      return (head.zones.zones[position].id, state)
    }
  }

  /// When a zone's alarm began to ring, and whether its notification was closed; nil when it does not ring.
  public func standing(of zone: ZoneID) -> (began: Instant, isClosed: Bool)? {
    let head = head.value
    guard let position = head.zones.position(of: zone),
      case .ringing(let ringing)? = head.alarms[position]?.phase
    else { return nil }
    return (ringing.began, ringing.closed)
  }

  /// The zones as they stand after the last input, for a watch policy deciding at `now`.
  public func surroundings(at now: Instant) -> Surroundings {
    let head = head.value
    return Surroundings(
      zones: head.zones, alarms: head.alarms, armed: head.armed, now: now,
      suspectIsNearZone: head.suspectIsNearZone)
  }

  /// How one zone was judged at every evaluation decided in `span`, in order.
  ///
  /// - Complexity: folds all inputs from the last checkpoint before `span` again.
  public func explanations(of zone: ZoneID, in span: ClosedRange<Instant>) -> [Explanation] {
    let start = inputs.partitioningIndex { $0.time >= span.lowerBound }
    let checkpoint = checkpoints.last { $0.inputs <= start } ?? checkpoints[0]
    var state = checkpoint.state.value
    var log = Log()
    log.explained = zone
    if let record = state.recordOfJump(for: zone) { log.explanations.append(record) }
    for input in inputs[checkpoint.inputs...] {
      if input.time > span.upperBound { break }
      state.apply(input, &log)
    }
    if let now, inputs.last.map({ $0.time <= span.upperBound }) ?? true {
      state.letTimePass(through: min(now, span.upperBound), &log)
    }
    return log.explanations.filter { span.contains($0.decidedAt) }
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
