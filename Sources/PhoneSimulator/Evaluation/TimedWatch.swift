import AlarmEngine
import Geometry

/// The engine as an application that can run whenever it wants: an Android foreground service, or a page that is
/// kept visible. Its user answers every alarm: quiet until the zone is left.
public final class TimedWatch: GeofenceReceiver {
  private var timeline: Timeline
  private var policy: any WatchDecisions
  private let environment: ApplicationEnvironment
  private let record: TrialRecord
  private var session: (wish: Session, stream: UpdateStream)?
  private var request: UpdateStream?
  private var timer: ApplicationEnvironment.Timer?
  private var due: ApplicationEnvironment.Timer?
  private var clocks: ClockComparison

  /// - Parameter host: `.timed`, or `.visibleOnly` for a page.
  public init(_ launch: Launch, host: Capabilities.Host, record: TrialRecord, policy: any WatchDecisions) {
    environment = launch.environment
    clocks = ClockComparison(now: launch.environment.now, uptime: launch.environment.uptime)
    self.record = record
    self.policy = WitnessedWatch(policy, record: record)
    timeline = record.timeline
    var capabilities = host == .visibleOnly ? Capabilities.visibleOnly : .timed
    capabilities.authorized = environment.phone.isAuthorized
    capabilities.wifi = environment.hasWifi
    if host == .visibleOnly { capabilities.motion = false }
    environment.startForegroundService()
    record.shown = { [weak self] zone, now in
      self.flatMap { TrialRecord.guarantee(of: zone, at: now, by: $0.policy, $0.timeline) }
    }
    tell(.started(launch.isInBackground ? .relaunch : .person, capabilities: capabilities, lastKnown: nil))
  }

  deinit { record.timeline = timeline }

  public func geofence(_ id: String, did transition: Geofence.Transitions) {
    guard let fence = UInt64(id, radix: 16).map(FenceID.init(rawValue:)) else { return }
    if transition.contains(.enter) { tell(.fenceEntered(fence)) }
    if transition.contains(.exit) { tell(.fenceExited(fence)) }
  }

  // MARK: Timeline and policy

  private func noticeClock() {
    let now = environment.now
    guard let span = clocks.jump(now: now, uptime: environment.uptime) else { return }
    publish(timeline.clockJumped(by: span, at: now).added)
    planDue()
    carryOut(policy.handle(.clockJumped(by: span), at: now, zones: timeline.surroundings(at: now)))
  }

  private func receive(_ fix: PhoneFix) {
    noticeClock()
    let known = Fix(fix)
    publish(timeline.insert([.fix(known)]).added + timeline.advance(to: environment.now).added)
    planDue()
    tell(.fix(known))
  }

  private func publish(_ events: [Event]) {
    for alarm in record.note(events, at: environment.now) {
      environment.alert("alarm")
      environment.after(TrialRecord.reaction) { [weak self] in
        guard let self else { return }
        noticeClock()
        publish(timeline.insert([.command(.acknowledgeInside(alarm), at: environment.now)]).added)
        planDue()
        tell(.zonesChanged)
      }
    }
  }

  /// Repeats, dwells, confirmations and schedules fall due without a fix.
  private func planDue() {
    due?.cancel()
    guard let next = timeline.nextDue else { return }
    due = environment.after(max(next - environment.now, .zero)) { [weak self] in
      guard let self else { return }
      noticeClock()
      let added = timeline.advance(to: environment.now).added
      publish(added)
      planDue()
      if !added.isEmpty { tell(.zonesChanged) }
    }
  }

  private func tell(_ event: WatchEvent) {
    noticeClock()
    let now = environment.now
    carryOut(policy.handle(event, at: now, zones: timeline.surroundings(at: now)))
  }

  private func carryOut(_ commands: [WatchCommand]) { for command in commands { carryOut(command) } }

  private func carryOut(_ command: WatchCommand) {
    switch command {
    case .session(let wish): open(wish)
    case .endSession:
      if let session { environment.process?.stop(session.stream) }
      session = nil
    case .requestFix(let accuracy, let span): ask(accuracy, within: span)
    case .fences(let fences): lay(fences)
    case .motion(true): environment.watchMotion { [weak self] in self?.tell(.motion(Motion($0))) }
    case .motion(false): environment.watchMotion(nil)
    case .timer(let time):
      timer?.cancel()
      timer = time.map { time in
        environment.after(max(time - environment.now, .zero)) { [weak self] in self?.tell(.timer) }
      }
    case .warn(let warning): environment.alert(warning.title)
    case .requestState, .significantChanges, .visits, .holdBackground, .releaseBackground, .warnIfSilent:
      break  // Not there on this host, or not needed.
    }
  }

  // MARK: Wishes

  private func open(_ wish: Session) {
    guard session?.wish != wish else { return }
    if let session { environment.process?.stop(session.stream) }
    let stream = UpdateStream(
      .continuous, accuracy: Self.accuracy(wish.accuracy), filter: wish.distanceFilter?.metres ?? -1,
      receive: { [weak self] in self?.receive($0) })
    stream.allowsBackground = true
    stream.pausesWhenStill = wish.mayPause
    session = (wish, stream)
    environment.process?.start(stream)
  }

  private func ask(_ accuracy: DesiredAccuracy, within span: TimeSpan) {
    if let request { environment.process?.stop(request) }
    let stream = UpdateStream(
      .single, accuracy: Self.accuracy(accuracy),
      receive: { [weak self] in
        self?.request = nil
        self?.receive($0)
      },
      fail: { [weak self] in
        self?.request = nil
        self?.tell(.fixFailed)
      })
    stream.timeout = span.seconds
    stream.allowsBackground = true
    request = stream
    environment.process?.start(stream)
  }

  private func lay(_ fences: [Fence]) {
    let wanted = fences.map { fence -> Geofence in
      var transitions: Geofence.Transitions = []
      if fence.onEntry { transitions.insert(.enter) }
      if fence.onExit { transitions.insert(.exit) }
      return Geofence(
        requestID: String(fence.id.rawValue, radix: 16), centre: fence.center, radius: fence.radius,
        transitions: transitions)
    }
    let names = Set(wanted.map(\.requestID))
    environment.removeGeofences(environment.geofenceIDs.filter { !names.contains($0) })
    do throws(GeofencingError) {
      if !wanted.isEmpty { try environment.addGeofences(wanted, initialTrigger: []) }
    } catch {
      for fence in fences { tell(.fenceFailed(fence.id)) }
    }
  }

  private static func accuracy(_ wanted: DesiredAccuracy) -> Double {
    switch wanted {
    case .bestForNavigation: kCLLocationAccuracyBestForNavigation
    case .best: kCLLocationAccuracyBest
    case .tenMetres: kCLLocationAccuracyNearestTenMeters
    case .hundredMetres: kCLLocationAccuracyHundredMeters
    case .kilometre: kCLLocationAccuracyKilometer
    case .threeKilometres: kCLLocationAccuracyThreeKilometers
    }
  }
}
