import AlarmEngine

/// For twins of what a phone offers besides location.
extension Phone {
  /// What a twin keeps of this phone, from the first time on that it is asked for. It outlives the application's process.
  public func kept<Twin: AnyObject>(_ make: () -> Twin) -> Twin {
    let key = ObjectIdentifier(Twin.self)
    if let known = twins[key] as? Twin { return known }
    let made = make()
    twins[key] = made
    return made
  }

  /// What the running application may use; nil where none runs.
  public var environment: ApplicationEnvironment? { process?.environment }
  /// True if the phone is switched on.
  public var isOn: Bool { !isOff }
  public var isApplicationInForeground: Bool { process?.state == .foreground }

  /// The system shows something of the application, whether its process lives or not.
  public func show(_ title: String) {
    charge(.alert, energyProfile.alertJoules)
    record(.notified(title))
  }

  /// The process is gone from one moment to the next, without a word to the application: a crash, or the system's end of
  /// a running process. What is to wake it starts it anew.
  public func crash() {
    perform { phone in phone.endWithoutWord() }
  }

  /// The system gives the application time in the background for something other than location: a task that it
  /// scheduled, an answer to one of its notifications. Nothing happens where the system may not start it.
  ///
  /// - Parameter byUser: a person's own doing starts it after a force quit too.
  public func wakeForTask(byUser: Bool = false, _ deliver: @escaping () -> Void) {
    guard !isOff, !isLocked else { return }
    if let process, process.state == .foreground { return deliver() }
    guard byUser || user.allowsBackgroundRefresh else { return }
    if byUser, lastEnd == .byUser { lastEnd = .bySystem }
    wakeNow(.alarm) { _ in deliver() }
  }
}
