import AlarmEngine
import Store

/// The inputs of a decision that are neither in the store nor part of its device.
struct DecisionContext: Sendable {
  let now: Instant
  /// Since when phones have been able to report.
  var awake: Awake
  /// By how much the clock was set back the last time since the start.
  var setBack: TimeSpan?
  /// The alarms of the last minute, as counted when the transaction began.
  var breaker = AlarmBreaker()
  /// The name of the person who armed or disarmed the device, for a job that does so.
  var armedBy: String?
}

/// One job on one device, decided from the state in memory and the facts that have been read. It neither
/// waits nor writes. The same job with the same facts always has the same result.
struct DeviceDecision {
  var context: DecisionContext
  var facts: StoredFacts
  /// The changes of the job. It begins with the device as earlier jobs of the same transaction have left it.
  var part: IngestTransaction

  enum End {
    case done(IngestOutcome)
    /// The device does not exist.
    case gone(DeviceID)
    /// The device's account is private: nothing of the report is kept.
    case isPrivate
    /// The job needs the work of the jobs before it to be in the store.
    case needsNextTransaction
  }

  /// - Returns: nil if a fact is missing. The decision must then be discarded, and decided again when the facts
  ///   in `facts.missing` have been read.
  mutating func decide(_ work: IngestJob.Work) -> End? {
    foresee(work)
    guard facts.isComplete else { return nil }
    let end = run(work)
    return facts.isComplete ? end : nil
  }

  private mutating func run(_ work: IngestJob.Work) -> End {
    switch work {
    case .report(let report):
      let device = held(report.device)
      if let device, device.record.isPrivate { return .isPrivate }
      switch device {
      case .unclaimed(let device): return .done(take(report, from: device))
      case .watched(let device): return .done(watch(device) { $0.take(report) })
      case nil: return .gone(report.device)
      }
    case .answer(let answer, let alarm, let until, let by):
      switch held(alarm.device) {
      case .unclaimed:
        var outcome = IngestOutcome()
        outcome.alarm = facts.alarm(alarm.id) ?? alarm
        return .done(outcome)
      case .watched(let device):
        return .done(watch(device) { $0.answer(answer, alarm, until: until, by: by) })
      case nil: return .gone(alarm.device)
      }
    case .arm(let id, let isArmed, let by):
      // The record was saved just now, so the engine in memory is based on an older one.
      guard !part.stored.contains(id) else { return .needsNextTransaction }
      part.devices[id] = nil
      context.armedBy = by
      switch held(id) {
      case .unclaimed(let device): return .done(arm(device, isArmed, by: by))
      case .watched(let device): return .done(watch(device) { $0.arm(isArmed, by: by) })
      case nil: return .gone(id)
      }
    case .refresh(let device): return refresh(device)
    case .due(let id, _) where isNotDueAnyMore(id): break
    case .due(let id, let mark):
      switch held(id) {
      case .unclaimed: part.looked[id] = mark
      case .watched(let device):
        let isCurrent = watch(device) { decision in
          decision.letTimePass()
          return decision.isCurrent
        }
        // Otherwise the device stays due and is processed again.
        if isCurrent { part.looked[id] = mark }
      case nil: return .gone(id)
      }
    case .unreached(let alarm, let id):
      switch held(id) {
      case .unclaimed: break
      case .watched(let device): watch(device) { $0.letTimePass(unreached: alarm) }
      case nil: return .gone(id)
      }
    case .lookAtClock: break
    case .dropEngines: part.dropsEngines = true
    }
    return .done(IngestOutcome())
  }

  // MARK: The device

  private mutating func held(_ id: DeviceID) -> CachedDevice? { part.devices[id] ?? load(id) }

  /// True if another process has already processed a device that was due. Only the store can tell: a device
  /// in memory is always processed.
  mutating func isNotDueAnyMore(_ id: DeviceID) -> Bool {
    guard part.devices[id] == nil, let state = facts.state(of: id) else { return false }
    return state.due.map { $0 > context.now } ?? true
  }

  private mutating func refresh(_ id: DeviceID) -> End {
    // The stored engine is the same as the one in memory, so it is loaded again with the new settings.
    guard !part.stored.contains(id) else { return .needsNextTransaction }
    part.devices[id] = nil
    if load(id) == nil { part.forgotten.insert(id) }
    return .done(IngestOutcome())
  }

  /// Makes the device from its stored state; nil if it does not exist.
  private mutating func load(_ id: DeviceID) -> CachedDevice? {
    guard let state = facts.state(of: id) else { return nil }
    part.notes.append(.count("proximity_engine_loads_total"))
    guard let account = state.device.account, state.zoneSet != nil, !state.device.isPrivate else {
      let device = CachedDevice.unclaimed(
        UnclaimedDevice(record: state.device, version: state.version, storedDue: state.due))
      part.devices[id] = device
      return device
    }
    guard let device = WatchedDevice(state.device, of: account, &facts) else { return nil }
    watch(device) { $0.revive(from: state) }
    return part.devices[id]
  }

  private mutating func watch<Result>(
    _ device: WatchedDevice, _ act: (inout WatchedDecision) -> Result
  ) -> Result {
    var decision = WatchedDecision(context: context, device: device, facts: facts, part: part)
    let result = act(&decision)
    (facts, part) = (decision.facts, decision.part)
    part.devices[device.id] = .watched(decision.device)
    return result
  }

  // MARK: A device that nobody has claimed

  private mutating func take(_ report: DeviceReport, from device: UnclaimedDevice) -> IngestOutcome {
    var device = device
    if !device.clock.isRestored { device.clock.restore(behind: .zero, last: device.record.lastFix) }
    let fixes = device.clock.putRight(report.fixes, of: device.record.id, in: context, &part.notes)
    part.add(report, fixes)
    let before = device.record.status
    var told = report
    // Nobody can be notified yet. Malformed reports count once somebody has claimed the device.
    told.malformed = nil
    device.record.status.take(told, by: context.now)
    if device.record.status.isNews(after: before) {
      part.batch.statuses[device.record.id] = device.record.status
    }
    part.devices[device.record.id] = .unclaimed(device)
    return IngestOutcome(device: device.record)
  }

  private mutating func arm(_ device: UnclaimedDevice, _ isArmed: Bool, by: String) -> IngestOutcome {
    var device = device
    device.record.isArmed = isArmed
    part.batch.commands.append(
      DeviceCommand(
        device: device.record.id, at: context.now, kind: isArmed ? .activate : .deactivate, by: by))
    part.devices[device.record.id] = .unclaimed(device)
    return IngestOutcome(device: device.record)
  }
}

extension WatchedDevice {
  /// Makes the device with the account's present settings and zones, before its engine is restored; nil if
  /// they have not been read.
  init?(_ record: Device, of account: AccountID, _ facts: inout StoredFacts) {
    let stored = facts.settings(of: account)
    guard facts.isComplete else { return nil }
    let settings = DeviceSettings.settings([stored, record.settings])
    guard let zones = facts.zones(of: account, settings) else { return nil }
    self.init(record, of: account, settings, zones)
    escalationDelays = EscalationDelays(settings: stored)
  }
}
