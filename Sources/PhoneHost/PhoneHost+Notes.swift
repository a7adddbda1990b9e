import AlarmEngine
import Geometry

extension PhoneHost {
  /// The requests to the phone that the journal already holds for this process; only differences are noted.
  struct Noted: Sendable {
    var fences: [FenceID: Fence] = [:]
    var wake: Instant?
    var hasStarted = false
    var watchesMotion = false
    var source: PositionSource?
    var battery: (level: BatteryLevel, at: Instant)?
    /// The notes of the input being handled.
    var notes: [WatchNote] = []
  }

  /// Notes an input that changes no state by itself.
  mutating func note(_ input: PhoneInput, at now: Instant) {
    switch input {
    case .started(let start, _, _):
      guard !noted.hasStarted else { return }
      noted.hasStarted = true
      noted.notes.append(.started(start))
    case .stopped: noted.notes.append(.stopped)
    case .fenceEntered(let id): noted.notes.append(.fenceEntered(id))
    case .fenceExited(let id): noted.notes.append(.fenceExited(id))
    case .fenceFailed(let id):
      noted.notes.append(.fenceFailed(id))
      noted.fences[id] = nil
    case .woke:
      noted.notes.append(.woke)
      if let wake = noted.wake, wake <= now { noted.wake = nil }
    case .motion(let motion, let since):
      // A time beyond the allowed range cannot be stored in the journal.
      noted.notes.append(.motion(motion, since: since.flatMap { Instant.allowed.contains($0) ? $0 : nil }))
    case .liveUpdates(let areResting): noted.notes.append(.liveUpdates(areResting: areResting))
    case .positionSource(let source):
      guard source != noted.source else { return }
      noted.source = source
      noted.notes.append(.positionSource(source))
    case .battery(let level):
      guard wantsBattery(at: now) || level.isCharging != noted.battery?.level.isCharging else { return }
      noted.battery = (level, now)
      noted.notes.append(.battery(level))
    case .edition, .positions, .requestFailed, .fenceState, .visitArrived, .visitDeparted, .capabilities,
      .cameToForeground, .wentToBackground, .willTerminate, .command, .zones, .clockJumped,
      .told, .reporting,
      .reported, .notKept:
      break
    }
  }

  /// The least time between two readings of the battery in the journal, unless charging begins or ends.
  static var batterySpacing: TimeSpan { .minutes(15) }

  /// True if the journal is due to get another reading of the battery.
  public func wantsBattery(at now: Instant) -> Bool {
    guard noted.hasStarted else { return false }
    guard let last = noted.battery?.at else { return true }
    return now < last || now - last >= Self.batterySpacing
  }

  /// Notes a request that is about to be sent to the platform.
  mutating func note(_ command: PhoneCommand) {
    switch command {
    case .session(let wanted):
      noted.notes.append(
        .session(wanted, interval: requests == .answeredOnce ? wanted.accuracy.interval : nil))
    case .endSession: noted.notes.append(.sessionEnded)
    case .startRequest(let accuracy, _, let span): noted.notes.append(.requested(accuracy, within: span))
    case .fences(let fences): note(fences)
    case .wake(let time):
      guard time != noted.wake else { return }
      noted.wake = time
      // A time beyond the allowed range cannot be stored in the journal.
      noted.notes.append(.wake(time.map { min($0, Instant.allowed.upperBound) }))
    case .significantChanges(let wanted): noted.notes.append(.significantChanges(wanted))
    case .visits(let wanted): noted.notes.append(.visits(wanted))
    case .motion(let wanted):
      guard wanted != noted.watchesMotion else { return }
      noted.watchesMotion = wanted
      noted.notes.append(.motionWatched(wanted))
    case .append, .replace, .report, .endRequest, .requestState, .holdBackground, .releaseBackground,
      .warn, .warnIfSilent, .sendReports, .tell, .ringing:
      break
    }
  }

  private mutating func note(_ fences: [Fence]) {
    let laid = fences.filter { noted.fences[$0.id] != $0 }
    var kept: Set<FenceID> = []
    for fence in fences { kept.insert(fence.id) }
    let removed = noted.fences.keys.filter { !kept.contains($0) }.sorted { $0.rawValue < $1.rawValue }
    for fence in laid { noted.fences[fence.id] = fence }
    for id in removed { noted.fences[id] = nil }
    if !laid.isEmpty || !removed.isEmpty {
      noted.notes.append(.fences(laid: laid, removed: removed))
    }
  }
}
