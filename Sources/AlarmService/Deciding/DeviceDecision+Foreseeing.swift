import AlarmEngine
import Store

/// Requests the facts that a job certainly needs, before it is decided. A fact that is not requested here
/// costs another round: the decision finds that it is missing and is made again.
extension DeviceDecision {
  mutating func foresee(_ work: IngestJob.Work) {
    guard let id = work.device else { return }
    switch work {
    case .refresh, .arm:
      if !part.stored.contains(id) { foreseeLoading(of: id) }
      return
    case .due where isNotDueAnyMore(id): return
    case .due, .report, .answer, .unreached, .dropEngines, .lookAtClock: break
    }
    switch part.devices[id] {
    case .unclaimed?: break
    case .watched(let device)?: foresee(work, of: device)
    case nil: foreseeLoading(of: id)
    }
  }

  /// Requests the facts for a device in memory. It reads only when time passes: for its present zones and
  /// settings, and for the events that are due.
  private mutating func foresee(_ work: IngestJob.Work, of device: WatchedDevice) {
    switch work {
    case .due, .unreached: break
    case .report, .answer, .arm, .refresh, .lookAtClock, .dropEngines: return
    }
    let stored = facts.settings(of: device.account)
    guard facts.isComplete else { return }
    let settings = DeviceSettings.settings([stored, device.record.settings])
    _ = facts.zones(of: device.account, settings)
    if let due = device.nextDue, due <= context.now { _ = facts.channels(of: device.account) }
    if let silent = device.silenceDue, silent <= context.now {
      _ = facts.alarm(AlarmRecorder.silence(of: device.id, since: device.heardAt))
    }
    if device.hasCompanions { _ = facts.companions(of: device.id) }
    var escalated = Set(device.escalations.filter { $0.value <= context.now }.keys)
    if case .unreached(let alarm, _) = work { escalated.insert(alarm) }
    escalated.subtract(device.unsavedAlarms)
    foreseeEscalations(of: escalated.sorted().compactMap { device.open[$0] }, device.account)
  }

  private mutating func foreseeLoading(of id: DeviceID) {
    guard let state = facts.state(of: id), let account = state.device.account, state.zoneSet != nil,
      let device = WatchedDevice(state.device, of: account, &facts)
    else { return }
    if let snapshot = state.snapshot, snapshot.zoneSet != device.zoneSet {
      _ = facts.formerZones(of: account, device.settings, [snapshot.zoneSet])
    }
    foreseeEscalations(of: state.openAlarms, account)
  }

  private mutating func foreseeEscalations(of alarms: [AlarmRecord], _ account: AccountID) {
    for alarm in alarms where alarm.state == .ringing {
      _ = facts.channels(of: account)
      _ = facts.attempts(of: alarm)
    }
  }
}
