import AlarmEngine

extension Phone {
  /// Installs the application, without starting it.
  /// - Parameter backgroundLocation: true if it declares the background mode `location`.
  public func install(
    backgroundLocation: Bool = true, _ factory: @escaping (Launch) -> any PhoneApplication
  ) {
    self.factory = factory
    declaresBackgroundLocation = backgroundLocation
  }

  /// True if the application is running at all, suspended or not.
  public var isApplicationAlive: Bool { process != nil }
  /// True if its code can run at this moment.
  public var isApplicationExecuting: Bool { process?.isExecuting ?? false }

  // MARK: What the user does

  /// Opens the application, or brings it back to the front.
  public func openApplication() {
    guard !isOff else { return }
    perform { phone in
      phone.unlock()
      defer { for store in phone.monitors.keys.sorted() { phone.monitors[store]?.cameToForeground() } }
      guard let process = phone.process else { return phone.launch(.user) }
      guard process.state != .foreground else { return }
      if process.state == .suspended {
        process.resume(inForeground: true)
      } else {
        process.state = .foreground
        process.startUpdates()
      }
      phone.record(.foreground)
      phone.positioning.refresh()
      process.application?.didEnterForeground()
      phone.planScreenOff()
    }
  }

  /// Leaves the application for the home screen, or locks the phone.
  public func leaveApplication() {
    perform { phone in
      guard let process = phone.process, process.state == .foreground else { return }
      process.state = .background
      process.holdsScreen = false
      let runtime =
        phone.system == .webPage
        ? phone.parameters.hiddenPageSeconds : phone.parameters.leaveForegroundSeconds
      process.runsUntil = phone.now + .seconds(runtime)
      process.budgetEnd = phone.now + phone.backgroundBudget
      process.hiddenSince = phone.now
      phone.record(.background)
      process.application?.didEnterBackground()
      if phone.permission.isOnce {
        phone.permission.isOnce = false
        phone.change { $0.status = .notDetermined }
      }
      phone.change { $0.hasTemporaryAccuracy = false }
      if phone.system == .webPage { process.stopUpdates() }
      phone.positioning.refresh()
      phone.reconsiderSuspension()
    }
  }

  /// Swipes the application away; on a web page: closes it.
  public func forceQuit() {
    perform { $0.end($0.system == .webPage ? .pageClosed : .byUser) }
  }

  /// Removes the application and installs it anew: regions, services, storage and planned alerts are gone,
  /// and permission has to be asked for again. An update, by contrast, keeps them all. K.
  public func reinstall() {
    perform { phone in
      phone.end(.byUser)
      phone.lastEnd = nil
      phone.regions.removeAll()
      phone.geofences.removeAll()
      phone.significantChanges.stop()
      phone.visits.stop()
      phone.storage = [:]
      phone.monitors = [:]
      for key in phone.notifications.keys.sorted() { phone.notifications[key]?.cancel() }
      phone.notifications = [:]
      phone.permission = Permission(status: .notDetermined)
    }
  }

  /// Installs a newer version in the background: the process ends, everything else stays. K.
  public func update() {
    perform { phone in
      phone.end(.bySystem)
      phone.lastEnd = .bySystem
    }
  }

  /// The user unlocks the phone after a restart.
  func unlock() {
    isLocked = false
    let waiting = waitsForUnlock
    waitsForUnlock = []
    for action in waiting { clock.plan(after: .zero, action) }
  }

  /// Switches the phone off and on again.
  public func reboot() {
    perform { phone in
      phone.end(.byReboot)
      phone.lastEnd = .byReboot
      phone.isOff = true
      phone.regions.forget()
      phone.geofences.removeAll()
      phone.accountForMonitoring()
      phone.clock.plan(after: .seconds(phone.parameters.rebootSeconds)) { [unowned phone] in
        phone.isOff = false
        phone.isLocked = phone.parameters.firstUnlockSeconds > 0
        if phone.isLocked {
          phone.clock.plan(after: .seconds(phone.parameters.firstUnlockSeconds)) { [unowned phone] in
            if phone.isLocked { phone.unlock() }
          }
        }
        phone.record(.bootedUp)
        for store in phone.monitors.keys.sorted() { phone.monitors[store]?.rebooted() }
        phone.accountForMonitoring()
        phone.regions.restore(after: .seconds(phone.parameters.regionSilenceAfterRebootSeconds))
        phone.significantChanges.restart()
      }
    }
  }

  /// Starts an application that waits for the end of the phone's start (Android).
  func startAfterReboot() { if process == nil, !isOff { wakeNow(.alarm) { _ in } } }

  /// Ends the application if it is suspended, as the system does when it needs memory.
  public func terminateIfSuspended() {
    guard process?.state == .suspended else { return }
    perform { $0.end(.bySystem) }
  }

  // MARK: Processes

  var backgroundBudget: TimeSpan {
    .seconds(iOSVersion?.backgroundBudget(parameters) ?? parameters.backgroundBudget13Seconds)
  }

  private func launch(_ cause: Occurrence.Cause) {
    guard let factory else { return }
    let process = AppProcess(phone: self, inForeground: cause == .user)
    self.process = process
    record(.launched(cause))
    if cause != .user { extend(process) }
    process.application = factory(Launch(cause: cause, environment: process.environment))
    if cause == .user {
      record(.foreground)
      process.application?.didEnterForeground()
      planScreenOff()
    }
    reconsiderSuspension()
  }

  func endWithoutWord() { end(.bySystem, isTold: false) }

  private func end(_ end: Occurrence.End, isTold: Bool = true) {
    guard let process else { return }
    if isTold && process.isExecuting && end != .byReboot { process.application?.willTerminate() }
    self.process = nil
    lastEnd = end
    process.end()
    for store in monitors.keys.sorted() { monitors[store]?.processEnded() }
    record(.ended(end))
  }

  private func extend(_ process: AppProcess) {
    let runtime = now + .seconds(parameters.wakeRuntimeSeconds)
    process.runsUntil = max(process.runsUntil, runtime)
    process.budgetEnd = max(process.budgetEnd, now + backgroundBudget)
  }

  // MARK: Waking

  /// Delivers an event that may wake or start the application, if its permission and the system allow it.
  ///
  /// - Parameter deliver: runs in the process; after a launch, only once the application has had time to make
  ///   its managers.
  func wake(_ cause: Occurrence.Cause, _ deliver: @escaping (AppProcess) -> Void) {
    guard !isOff, isAuthorized else { return record(.undeliverable(cause)) }
    if isLocked { return waitsForUnlock.append { [unowned self] in wake(cause, deliver) } }
    if let process, process.state == .foreground { return deliver(process) }
    guard mayWake else { return record(.undeliverable(cause)) }
    remindOfAlways()
    withConfirmedAlways { [unowned self] in wakeNow(cause, deliver) }
  }

  /// Resumes the application for its live updates. Once its process has ended, it is not started for them: A,
  /// strict.
  func wakeForLiveUpdates(_ deliver: @escaping () -> Void) {
    guard let process else { return }
    if process.isExecuting { return deliver() }
    let deliver: (AppProcess) -> Void = { [weak process] woken in if woken === process { deliver() } }
    // D: a background activity keeps an application in use that may use locations only then.
    if process.holdsActivity { wakeNow(.liveUpdate, deliver) } else { wake(.liveUpdate, deliver) }
  }

  private var mayWake: Bool {
    switch system {
    case .iOS(let version):
      permission.status == .authorizedAlways
        && (user.allowsBackgroundRefresh || !version.needsBackgroundRefresh)
    case .android: isAuthorized
    case .webPage: false
    }
  }

  private var mayLaunch: Bool {
    guard factory != nil, lastEnd != nil else { return false }
    guard lastEnd == .byUser else { return true }
    return iOSVersion?.relaunchesAfterForceQuit(parameters) ?? false
  }

  func wakeNow(_ cause: Occurrence.Cause, _ deliver: @escaping (AppProcess) -> Void) {
    if let process {
      if process.state == .suspended {
        charge(.wake, energyProfile.wakeJoules)
        record(.woken(cause))
        process.resume(inForeground: false)
      }
      if process.isAsleepInService { charge(.wake, energyProfile.wakeJoules) }
      if process.state == .background { extend(process) }
      reconsiderSuspension()
      return deliver(process)
    }
    guard mayLaunch else { return record(.undeliverable(cause)) }
    charge(.wake, energyProfile.wakeJoules)
    launch(cause)
    clock.plan(after: .seconds(parameters.launchSeconds)) { [unowned self] in
      guard let process, process.isExecuting else { return record(.undeliverable(cause)) }
      deliver(process)
    }
  }

  // MARK: Suspension

  /// Computes anew how long the process may run.
  func reconsiderSuspension() {
    guard let process else { return }
    process.suspension?.cancel()
    guard process.state == .background else {
      return setPower(.processor, 0)
    }
    let sleepsBetweenTimers = process.hasForegroundService || keepsHiddenPage
    let works = positioning.isIdle && !(sleepsBetweenTimers && now >= process.runsUntil)
    setPower(.processor, works ? energyProfile.processorMilliwatts : 0)
    if sleepsBetweenTimers && now < process.runsUntil {
      process.suspension = clock.plan(at: process.runsUntil) { [unowned self] in reconsiderSuspension() }
    }
    guard !process.keepsRunning else { return }
    let deadline = process.tasks.isEmpty ? process.runsUntil : max(process.runsUntil, process.budgetEnd)
    process.suspension = clock.plan(at: deadline) { [unowned self] in runOut(process) }
  }

  private func runOut(_ process: AppProcess) {
    guard process.state == .background, !process.keepsRunning else { return }
    for id in process.tasks.keys.sorted() { process.tasks[id]?() }
    guard process.tasks.isEmpty else { return end(.overtime) }
    process.suspend()
    setPower(.processor, 0)
    record(.suspended)
  }
}
