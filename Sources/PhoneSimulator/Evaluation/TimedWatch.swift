import AlarmEngine
import Geometry
import PhoneHost

/// The engine as an application that can run at any time: an Android foreground service, or a page that is
/// kept visible. Its user closes every alarm; the zone then stays quiet until it is left.
public final class TimedWatch: GeofenceReceiver {
  private var host: PhoneHost<WitnessedWatch>
  private let environment: ApplicationEnvironment
  private let record: TrialRecord
  private let kind: Capabilities.Host
  private var session: UpdateStream?
  private var request: UpdateStream?
  private var wake: ApplicationEnvironment.Timer?
  private let orders = OrderQueue()

  /// - Parameter host: `.timed`, or `.visibleOnly` for a page.
  public init(_ launch: Launch, host: Capabilities.Host, record: TrialRecord, policy: any WatchDecisions) {
    environment = launch.environment
    self.record = record
    self.host = record.host(WitnessedWatch(policy, record: record), requests: .answeredOnce)
    kind = host
    environment.startForegroundService()
    record.shown = { [weak self] now in
      self.map { $0.host.policy.guarantees(zones: $0.host.timeline.surroundings(at: now)) }
    }
    record.edit = { [weak self] in self?.tell(.zones($0, .phone)) }
    record.conditionsChanged = { [weak self] in self.map { $0.tell(.capabilities($0.capabilities)) } }
    tell(.started(launch.isInBackground ? .relaunch : .person, capabilities, lastKnown: nil))
  }

  deinit {
    record.timeline = host.timeline
    let (policy, timeline) = (host.policy, host.timeline)
    record.shown = { policy.guarantees(zones: timeline.surroundings(at: $0)) }
  }

  public func geofence(_ id: String, did transition: Geofence.Transitions) {
    guard let fence = UInt64(id, radix: 16).map(FenceID.init(rawValue:)) else { return }
    if transition.contains(.enter) { tell(.fenceEntered(fence)) }
    if transition.contains(.exit) { tell(.fenceExited(fence)) }
  }

  private var capabilities: Capabilities {
    var capabilities = kind == .visibleOnly ? Capabilities.visibleOnly : .timed
    capabilities.authorized = environment.phone.isAuthorized
    capabilities.wifi = environment.hasWifi
    capabilities.battery = environment.battery
    if kind == .visibleOnly { capabilities.motion = false }
    return capabilities
  }

  private func tell(_ input: PhoneInput) {
    let now = environment.now
    let time = PhoneTime(now: now, uptime: environment.uptime)
    orders.add(host.handle(input, at: time), carryOut: carryOut)
    guard host.wantsBattery(at: now),
      let level = BatteryLevel(share: environment.batteryShare, isCharging: false)
    else { return }
    orders.add(host.handle(.battery(level), at: time), carryOut: carryOut)
  }

  private func take(_ fix: PhoneFix, ofRequest: Bool) {
    switch fix.service {
    case .gnss: tell(.positionSource(.satellites))
    case .wifi, .cell, .reduced: tell(.positionSource(.network))
    }
    tell(.positions([Fix(fix)], ofRequest: ofRequest))
  }

  private func publish(_ told: [Told]) {
    for alarm in record.note(told.map { $0.event }, at: environment.now) {
      environment.alert("alarm")
      environment.after(TrialRecord.reaction) { [weak self] in self?.tell(.command(.acknowledgeInside(alarm)))
      }
    }
    if let last = told.last { tell(.told(last.number)) }
  }

  private func carryOut(_ command: PhoneCommand) {
    switch command {
    case .append, .replace: record.keep(command)
    case .session(let wish): open(wish)
    case .endSession:
      if let session { environment.process?.stop(session) }
      session = nil
    case .startRequest(let accuracy, _, let span): ask(accuracy, within: span)
    case .fences(let fences): lay(fences)
    case .motion(true):
      environment.watchMotion { [weak self] motion in
        guard let self else { return }
        tell(.motion(Motion(motion), since: environment.motionSince))
      }
    case .motion(false): environment.watchMotion(nil)
    case .wake(let time):
      wake?.cancel()
      wake = time.map { time in
        environment.after(max(time - environment.now, .zero)) { [weak self] in self?.tell(.woke) }
      }
    case .warn(let warning): environment.alert(warning.title)
    case .tell(let told): publish(told)
    case .endRequest, .requestState, .significantChanges, .visits, .holdBackground, .releaseBackground,
      .warnIfSilent,
      .ringing, .report, .sendReports:
      break  // Not available on this host, or not needed.
    }
  }

  // MARK: Wishes

  private func open(_ wish: Session) {
    if let session { environment.process?.stop(session) }
    let stream = UpdateStream(
      .continuous, accuracy: Self.accuracy(wish.accuracy), filter: wish.distanceFilter?.metres ?? -1,
      receive: { [weak self] in self?.take($0, ofRequest: false) })
    stream.allowsBackground = true
    stream.pausesWhenStill = wish.mayPause
    session = stream
    environment.process?.start(stream)
  }

  private func ask(_ accuracy: DesiredAccuracy, within span: TimeSpan) {
    if let request { environment.process?.stop(request) }
    let stream = UpdateStream(
      .single, accuracy: Self.accuracy(accuracy),
      receive: { [weak self] in
        self?.request = nil
        self?.take($0, ofRequest: true)
      },
      fail: { [weak self] in
        self?.request = nil
        self?.tell(.requestFailed)
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
