import AlarmEngine
import Store

/// Restores the engine from the store, and updates it to the present zones and settings.
extension WatchedDecision {
  /// The age of the earliest inputs from which an engine without a snapshot is built.
  static let rebuiltFrom = TimeSpan.hours(24)

  /// - Parameter state: the stored state of the device.
  mutating func revive(from state: DeviceState) {
    device.version = state.version
    device.storedDue = state.due
    device.hasCompanions = state.hasCompanions
    device.isCompanion = state.isCompanion
    device.checkIn = state.checkIn
    device.expected = state.expectedArrivals
    device.awake = context.awake
    device.heardAt = min(device.heardAt, now)
    device.silences = state.snapshot?.silences ?? []
    device.reminders = DeviceReminders(state.reminders, settings: device.settings)
    reviveReminders(state.snapshot)
    device.open = Dictionary(uniqueKeysWithValues: state.openAlarms.map { ($0.id, $0.rung(by: now)) })
    let restored = state.snapshot.flatMap { snapshot in restore(snapshot).map { (snapshot, $0) } }
    // Without the zones of the snapshot, restoring cannot continue.
    guard facts.isComplete else { return }
    if let (snapshot, timeline) = restored {
      resume(with: timeline, snapshot, state)
    } else {
      rebuild(from: state)
    }
    if device.timeline.armed != state.device.isArmed { agreeOnArming() }
    for alarm in device.open.values where alarm.state == .ringing { schedule(alarm) }
    judgeRevivedReminders()
  }

  /// Arms or disarms the engine according to the device's record. They differ after an edit of the record
  /// that no engine has processed yet.
  private mutating func agreeOnArming() {
    let isArmed = device.record.isArmed
    let at = device.timeOfCommand(at: max(now, device.through))
    let command = DeviceCommand(
      device: id, at: at, kind: isArmed ? .activate : .deactivate, by: context.armedBy ?? "device")
    part.batch.commands.append(command)
    if let input = command.input { follow(input, isArmed: isArmed) }
  }

  private mutating func restore(_ snapshot: DeviceSnapshot) -> Timeline? {
    var sets = [device.watched]
    if snapshot.zoneSet != device.zoneSet {
      sets += facts.formerZones(of: account, device.settings, [snapshot.zoneSet]).values
    }
    return try? Timeline(snapshot: snapshot.bytes, device: id, settings: device.settings) {
      WatchedZones.named($0, among: sets)
    }
  }

  /// Continues from a snapshot: inserts the inputs that are later than it.
  private mutating func resume(with timeline: Timeline, _ snapshot: DeviceSnapshot, _ state: DeviceState) {
    device.timeline = timeline
    device.timeline.signalExpectedBy = device.signalExpectedBy
    device.through = snapshot.through
    device.bytes = WatchedDevice.bytes(snapshot: snapshot.bytes.count)
    var changes: [Timeline.Change] = []
    let inputs = Input.inOrder(device.believable(state.fixes), state.commands)
    if !inputs.isEmpty {
      changes.append(device.timeline.insert(inputs))
      device.note(inputs)
    }
    if let change = device.follow(setBack: context.setBack, to: now) {
      changes.append(change)
      part.stored.insert(id)
    }
    if !timeline.zoneRevisions.contains(device.watched.revision) {
      changes += watch(device.watched, device.zoneSet)
    }
    settle(changes)
  }

  /// Rebuilds an engine that cannot be restored, from the inputs of the last day.
  private mutating func rebuild(from state: DeviceState) {
    var inputs = Input.inOrder(device.believable(state.fixes), state.commands)
    let began = device.open.values.filter(\.isOfZone).map(\.began).min()
    if state.snapshot != nil || began != nil {
      let from = judged(from: min(began ?? now, now - Self.rebuiltFrom))
      inputs = storedInputs(in: from...Instant.allowed.upperBound)
    }
    // Commands later than now were recorded before the clock was set back.
    inputs = inputs.map { $0.commanded(by: now) }.sorted { $0.time < $1.time }
    let past = inputs.first.flatMap { zonesOfThePast(from: $0.time, needed: [$0.time]) }
    var timeline = Timeline(
      device: id, settings: device.settings, watched: past?.first ?? device.watched,
      armed: DeviceCommand.wasArmed(before: inputs, device.record))
    timeline.insert(inputs + (past?.edits ?? []))
    timeline.signalExpectedBy = device.signalExpectedBy
    timeline.advance(to: now)
    if inputs.isEmpty, let edit = facts.lastEdit(of: account, by: now) {
      // Inputs from before the last edit are not judged by these zones.
      timeline.forget(before: min(edit, now))
    }
    device.timeline = timeline
    device.past = past
    device.note(inputs)
    device.unsaved = []
    var recorder = recorder(device.open)
    recorder.agree(with: timeline)
    device.forgetPast()
    finish(recorder)
    part.stored.insert(id)
  }

  // MARK: Zones and settings

  /// Replaces the zones that a device watches. Its present position is judged at once.
  private mutating func watch(_ watched: WatchedZones, _ revision: Revision) -> [Timeline.Change] {
    let latest = max(now, device.through)
    let at = device.timeOfCommand(at: max(latest, device.timeline.position?.measuredAt ?? latest))
    let change = device.timeline.insert([.command(.replaceZones(watched), at: at)])
    device.watched = watched
    device.zoneSet = revision
    let passed = device.advance(to: now)
    // A snapshot can name only one set of zones.
    device.timeline.forget(keeping: 0)
    device.unforgotten = 0
    device.through = max(device.through, at)
    part.batch.commands.append(
      DeviceCommand(device: id, at: at, kind: .replaceZones(revision), by: "zones"))
    part.stored.insert(id)
    return [change, passed]
  }

  private mutating func settingsOfNow() -> Settings {
    DeviceSettings.settings([facts.settings(of: account), device.record.settings])
  }

  /// True if the engine uses the zones and settings that the transaction has read.
  var isCurrent: Bool {
    mutating get {
      settingsOfNow() == device.settings
        && facts.zoneRevisions[account].map { $0 <= device.zoneSet } ?? true
    }
  }

  /// Updates an engine that was in memory to the current zones and settings.
  mutating func catchUp() -> [Timeline.Change] {
    let settings = settingsOfNow()
    guard facts.isComplete else { return [] }
    if settings != device.settings {
      reload()
      return []
    }
    let delays = EscalationDelays(settings: facts.settings(of: account))
    if delays != device.escalationDelays {
      device.escalationDelays = delays
      for alarm in device.open.values where alarm.state == .ringing { schedule(alarm) }
    }
    guard let latest = facts.zones(of: account, device.settings), latest.revision > device.zoneSet else {
      return []
    }
    guard latest.watched != device.watched else {
      device.watched = latest.watched
      device.zoneSet = latest.revision
      return []
    }
    return watch(latest.watched, latest.revision)
  }

  /// Loads the engine from the store with the present settings. If the running transaction has changed it,
  /// its snapshot is not in the store yet: the device then stays due and is processed again.
  private mutating func reload() {
    guard !part.stored.contains(id), let state = facts.state(of: id), let owner = state.device.account,
      let fresh = WatchedDevice(state.device, of: owner, &facts)
    else { return }
    part.notes.append(.count("proximity_engine_loads_total"))
    device = fresh
    revive(from: state)
  }
}

extension Input {
  /// Returns fixes and commands in the order of their times.
  package static func inOrder(_ fixes: [Fix], _ commands: [DeviceCommand]) -> [Input] {
    let inputs = fixes.map { Input.fix($0) } + commands.compactMap(\.input)
    return inputs.sorted { $0.time < $1.time }
  }
}

extension DeviceCommand {
  /// The command as an input of the engine. Nil for an edit of zones, since only the store has the zones of a
  /// revision.
  var input: Input? {
    switch kind {
    case .activate: .command(.activate, at: at)
    case .deactivate: .command(.deactivate, at: at)
    case .close(let alarm): .command(.close(engineID ?? alarm), at: at)
    case .sleep(let alarm): .command(.sleep(engineID ?? alarm), at: at)
    case .acknowledgeInside(let alarm): .command(.acknowledgeInside(engineID ?? alarm), at: at)
    case .acknowledgeForToday(let alarm, let until):
      .command(.acknowledgeForToday(engineID ?? alarm, until: until), at: at)
    case .replaceZones: nil
    }
  }

  /// True if the device was armed before these inputs: the opposite of the effect of the first switch among
  /// them.
  package static func wasArmed(before inputs: [Input], _ device: Device) -> Bool {
    for input in inputs {
      if case .command(.activate, _) = input { return false }
      if case .command(.deactivate, _) = input { return true }
    }
    return device.isArmed
  }
}

extension Input {
  /// Returns the same input; a command after `now` is moved to `now`.
  fileprivate func commanded(by now: Instant) -> Input {
    if case .command(let command, let at) = self, at > now { .command(command, at: now) } else { self }
  }
}

extension AlarmRecord {
  /// Returns the record with no ring after `now`: such a time was recorded before the clock was set back.
  fileprivate func rung(by now: Instant) -> AlarmRecord {
    var record = self
    record.lastRangAt = min(lastRangAt, now)
    return record
  }
}
