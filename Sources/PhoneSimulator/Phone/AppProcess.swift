import AlarmEngine

/// The application's process: its memory, timers, background tasks and managers.
final class AppProcess {
  enum State { case foreground, background, suspended, ended }

  unowned let phone: Phone
  var state: State
  var application: (any PhoneApplication)?
  private var managers: [WeakManager] = []
  /// The end of the running time granted last; nothing else keeps the process running after it.
  var runsUntil: Instant
  /// The end of the background tasks' budget; set on entering the background.
  var budgetEnd: Instant
  var tasks: [Int: () -> Void] = [:]
  var lastTask = 0
  var suspension: VirtualClock.Plan?
  private var overdue: [() -> Void] = []
  private var endings: [() -> Void] = []
  /// Sessions stopped by suspension; they go on when the process runs again (under Android's background
  /// limits: in the foreground).
  private var dormant: [UpdateStream] = []
  private(set) var streams: [UpdateStream] = []
  var motionHandler: ((Journey.Motion) -> Void)?
  /// True if a foreground service (Android) keeps it awake.
  var hasForegroundService = false
  /// True if it was started for an event and has not been opened since.
  private(set) var isBackgroundLaunch: Bool
  /// True if a page keeps the screen on.
  var holdsScreen = false
  var screenOff: VirtualClock.Plan?
  /// The time at which it last left the foreground.
  var hiddenSince: Instant?
  /// Delivers the few positions that Android 8 and later gives a suspended application.
  private var trickle: VirtualClock.Plan?
  let environment: ApplicationEnvironment

  private struct WeakManager { weak var manager: CLLocationManager? }

  init(phone: Phone, inForeground: Bool) {
    self.phone = phone
    state = inForeground ? .foreground : .background
    isBackgroundLaunch = !inForeground
    runsUntil = phone.now
    budgetEnd = phone.now
    environment = ApplicationEnvironment(phone: phone)
  }

  var isExecuting: Bool { state == .foreground || state == .background }
  var isAlive: Bool { state != .ended }

  func add(_ manager: CLLocationManager) {
    managers.removeAll { $0.manager == nil }
    managers.append(WeakManager(manager: manager))
  }

  /// Calls `body` for each manager, in order of creation.
  func eachManager(_ body: (CLLocationManager) -> Void) {
    for entry in managers { if let manager = entry.manager { body(manager) } }
  }

  func tellAuthorization() {
    guard isExecuting else { return }
    eachManager { $0.tellAuthorization() }
  }

  // MARK: Sessions

  /// - Parameter keptByActivity: true if the session goes on in the background while a background activity is
  ///   held.
  func start(_ stream: UpdateStream, keptByActivity: Bool = false) {
    guard isExecuting else { return }
    if keptByActivity { stream.isKeptByActivity = true }
    if !streams.contains(where: { $0 === stream }) { streams.append(stream) }
    stream.startedInForeground = state == .foreground
    if phone.system == .webPage, state != .foreground {
      // D [W3C-geo]: a request waits until the page is visible.
      dormant.append(stream)
      return
    }
    phone.positioning.start(stream)
    phone.reconsiderSuspension()
  }

  func stop(_ stream: UpdateStream) {
    let kept = keepsRunning
    streams.removeAll { $0 === stream }
    dormant.removeAll { $0 === stream }
    phone.positioning.stop(stream)
    if kept && !keepsRunning && state == .background {
      runsUntil = max(runsUntil, phone.now + .seconds(phone.parameters.leaveForegroundSeconds))
      budgetEnd = max(budgetEnd, phone.now + phone.backgroundBudget)
    }
    phone.reconsiderSuspension()
  }

  /// True if a session, or a service, keeps the process from being suspended.
  var keepsRunning: Bool {
    hasForegroundService || phone.keepsHiddenPage
      || streams.contains { $0.isRunning && !$0.isResting && $0.kind == .continuous && mayOutlive($0) }
  }

  /// True if a paused session of live updates will resume this process although it is suspended.
  private func waitsForMotion(_ stream: UpdateStream) -> Bool { stream.isResting && mayOutlive(stream) }

  /// Lets the process run for a short time before it may be suspended, as its live updates have paused.
  func allowSuspension() {
    guard state == .background else { return }
    runsUntil = max(runsUntil, phone.now + .seconds(phone.parameters.leaveForegroundSeconds))
  }

  private func mayOutlive(_ stream: UpdateStream) -> Bool {
    guard phone.isAuthorized else { return false }
    if case .android(let api) = phone.system { return api < 26 }
    guard let version = phone.iOSVersion, phone.declaresBackgroundLocation else { return false }
    if stream.isKeptByActivity { return holdsActivity || phone.permission.status == .authorizedAlways }
    if version.hasBackgroundFlag && !stream.allowsBackground { return false }
    return stream.startedInForeground || !version.sessionsStartInForeground
      || phone.permission.status == .authorizedAlways
  }

  /// Number of background activities held (iOS 17).
  private var activities = 0
  var holdsActivity: Bool { activities > 0 }

  func beginActivity() {
    if state == .foreground { activities += 1 }
  }

  func endActivity() {
    activities = max(0, activities - 1)
    phone.reconsiderSuspension()
  }

  /// Ends the process' running time if only sessions at 3 km keep it running.
  func endKeepAlive() {
    guard state == .background, !hasForegroundService, !streams.isEmpty,
      streams.allSatisfy({ !$0.isRunning || $0.tier == .keepAlive })
    else { return }
    stopUpdates()
    phone.reconsiderSuspension()
  }

  // MARK: Suspension

  func suspend() {
    state = .suspended
    suspension?.cancel()
    stopUpdates()
    phone.accountForMotion()
    planTrickle()
  }

  /// D [AND-bg]: an application in the background gets positions a few times an hour; a dozing phone gives
  /// them only in its windows (K).
  private func planTrickle() {
    trickle?.cancel()
    guard phone.limitsBackground, !dormant.isEmpty else { return }
    let span = 3600 / phone.parameters.backgroundFixesPerHour
    let wait = phone.isDozing ? max(span, phone.parameters.dozeWindowSeconds) : span
    trickle = phone.clock.plan(after: .seconds(wait)) { [weak self] in self?.tellNowAndThen() }
  }

  private func tellNowAndThen() {
    guard state == .suspended else { return }
    let resting = dormant
    phone.wake(.alarm) { [unowned phone] _ in
      for stream in resting {
        guard let fix = phone.positioning.measure(for: stream) else { continue }
        phone.record(
          .fix(fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, by: fix.service))
        stream.receive(fix)
      }
    }
    if state == .suspended { planTrickle() }
  }

  /// Stops all sessions until `startUpdates()`.
  func stopUpdates() {
    for stream in streams where stream.isRunning && !waitsForMotion(stream) {
      phone.positioning.stop(stream)
      if stream.kind == .continuous || phone.system == .webPage { dormant.append(stream) }
    }
  }

  /// Resumes a suspended process: timers that fell due meanwhile run now, in order.
  func resume(inForeground: Bool) {
    state = inForeground ? .foreground : .background
    trickle?.cancel()
    phone.accountForMotion()
    let late = overdue
    overdue = []
    for action in late { phone.clock.plan(after: .zero) { [weak self] in self?.run(action) } }
    if inForeground || !phone.limitsBackground { startUpdates() }
  }

  func startUpdates() {
    if state == .foreground { isBackgroundLaunch = false }
    let resting = dormant
    dormant = []
    for stream in resting { phone.positioning.start(stream) }
  }

  func onEnd(_ action: @escaping () -> Void) { endings.append(action) }

  func end() {
    state = .ended
    for ending in endings { ending() }
    endings = []
    trickle?.cancel()
    suspension?.cancel()
    for stream in streams { phone.positioning.stop(stream) }
    streams = []
    tasks = [:]
    overdue = []
    managers = []
    motionHandler = nil
    application = nil
    phone.accountForMotion()
    phone.setPower(.processor, 0)
  }

  /// Runs an action now, or when the process next runs; never if it has ended.
  func run(_ action: @escaping () -> Void) {
    switch state {
    case .foreground, .background: action()
    case .suspended: overdue.append(action)
    case .ended: break
    }
  }

  /// Runs a timer's action. It costs a wake-up if only a foreground service keeps the process alive and the
  /// processor is asleep; within a session it costs nothing more.
  func runTimer(_ action: @escaping () -> Void) {
    if isAsleepInService { phone.charge(.wake, phone.energyProfile.wakeJoules) }
    run(action)
  }

  /// True if the process is alive in the background with the processor asleep between timers.
  var isAsleepInService: Bool {
    state == .background && hasForegroundService && phone.positioning.isIdle
  }

  /// Reports the motion at `time`. The application hears of a change once the hardware has noticed it, and a
  /// new listener waits for its first report.
  func tellMotion(at time: Instant) {
    guard let motionHandler else { return }
    phone.clock.plan(at: time) { [weak self, unowned phone] in
      guard let self, isExecuting, self.motionHandler != nil else { return }
      motionHandler(phone.journey.motion(at: phone.now))
    }
  }
}
