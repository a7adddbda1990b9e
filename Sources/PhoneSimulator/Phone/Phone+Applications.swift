import AlarmEngine

/// Access for fakes of frameworks other than location.
extension Phone {
  /// Returns a fake's object on this phone, made at the first call. It outlives the application's process.
  public func kept<Fake: AnyObject>(_ make: () -> Fake) -> Fake {
    let key = ObjectIdentifier(Fake.self)
    if let known = fakes[key] as? Fake { return known }
    let made = make()
    fakes[key] = made
    return made
  }

  /// The services of the running application; nil if none runs.
  public var environment: ApplicationEnvironment? { process?.environment }
  /// True if the phone is switched on.
  public var isOn: Bool { !isOff }
  public var isApplicationInForeground: Bool { process?.state == .foreground }

  /// Shows something of the application, even if its process has ended.
  public func show(_ title: String) {
    charge(.alert, energyProfile.alertJoules)
    record(.notified(title))
  }

  /// Ends the process at once, without a callback: a crash, or the system ending a running process. Events
  /// that may wake the application start it anew.
  public func crash() {
    perform { phone in phone.endWithoutWord() }
  }

  /// Gives the application time in the background for a reason other than location: a task that it scheduled,
  /// an answer to one of its notifications. Does nothing if the system may not start it.
  ///
  /// - Parameter byUser: true for an action of the user, which starts the application after a force quit too.
  public func wakeForTask(byUser: Bool = false, _ deliver: @escaping () -> Void) {
    guard !isOff, !isLocked else { return }
    if let process, process.state == .foreground { return deliver() }
    guard byUser || user.allowsBackgroundRefresh else { return }
    if byUser, lastEnd == .byUser { lastEnd = .bySystem }
    wakeNow(.alarm) { _ in deliver() }
  }
}
