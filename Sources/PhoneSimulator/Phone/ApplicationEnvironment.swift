import AlarmEngine
import Foundation

/// The services that an application may use besides location: clock, timers, background time, notifications,
/// storage.
///
/// It takes the place of the protocols through which shared code reaches them on a real phone (no `Date()`,
/// `Timer` or UIKit there). It does nothing after the application's process has ended.
public final class ApplicationEnvironment {
  unowned let phone: Phone

  init(phone: Phone) { self.phone = phone }

  var process: AppProcess? {
    guard let process = phone.process, process.environment === self else { return nil }
    return process
  }

  /// The time on the phone's clock, which somebody may have set.
  public var now: Instant { phone.now + phone.clockError }
  public var date: Date { Date(now) }
  /// Time since the journey began, asleep or awake; independent of the clock.
  public var uptime: TimeSpan { phone.now - phone.journey.start }
  public var isInForeground: Bool { process?.state == .foreground }
  /// True if Wi-Fi is on, as a network path monitor reports it.
  public var hasWifi: Bool { phone.conditions.wifi }

  public var battery: Capabilities.Battery { phone.battery }
  /// The share of the battery that is left, 0 to 1, in whole percent as phones state it. An empty battery is replaced by a
  /// full one.
  public var batteryShare: Double {
    let used = phone.energyProfile.share(joules: phone.ledger.total)
    return 1 - (used.truncatingRemainder(dividingBy: 1) * 100).rounded(.down) / 100
  }

  // MARK: Timers

  public final class Timer {
    fileprivate var plan: VirtualClock.Plan?
    fileprivate var isCancelled = false
    public func cancel() {
      isCancelled = true
      plan?.cancel()
    }
  }

  /// Runs `action` after `span` of the phone's time. A timer that falls due while the application is
  /// suspended runs when it next runs; one of an ended process never does.
  @discardableResult
  public func after(_ span: TimeSpan, _ action: @escaping () -> Void) -> Timer {
    let timer = Timer()
    guard let process else { return timer }
    timer.plan = phone.clock.plan(at: phone.held(phone.now + span)) { [weak process] in
      process?.runTimer { if !timer.isCancelled { action() } }
    }
    return timer
  }

  // MARK: Background time

  /// Asks for more time to finish a task. If tasks are left after `expiration` has been called, the
  /// application is ended.
  public func beginBackgroundTask(expiration: @escaping () -> Void = {}) -> Int {
    guard let process else { return 0 }
    process.lastTask += 1
    process.tasks[process.lastTask] = expiration
    phone.reconsiderSuspension()
    return process.lastTask
  }

  public func endBackgroundTask(_ id: Int) {
    guard let process, process.tasks.removeValue(forKey: id) != nil else { return }
    phone.reconsiderSuspension()
  }

  /// Seconds of background time left; unlimited in the foreground and while a session keeps the application
  /// running.
  public var backgroundTimeRemaining: TimeInterval {
    guard let process else { return 0 }
    guard process.state == .background, !process.keepsRunning else { return .greatestFiniteMagnitude }
    return max(0, (process.budgetEnd - phone.now).seconds)
  }

  // MARK: Notifications

  /// Shows an alert: banner, sound and vibration.
  public func alert(_ title: String) {
    guard process != nil else { return }
    phone.charge(.alert, phone.energyProfile.alertJoules)
    phone.record(.notified(title))
  }

  /// Vibrates without a sound.
  public func vibrate(_ title: String) {
    guard process != nil else { return }
    phone.charge(.alert, phone.energyProfile.vibrationJoules)
    phone.record(.notified(title))
  }

  /// Plans an alert that comes even if the process has ended by then. An alert with the same id is replaced.
  public func planAlert(id: String, after span: TimeSpan, title: String) {
    guard process != nil else { return }
    phone.notifications[id]?.cancel()
    phone.notifications[id] = phone.clock.plan(after: span) { [unowned phone] in
      guard !phone.isOff else { return }
      phone.charge(.alert, phone.energyProfile.alertJoules)
      phone.record(.notified(title))
    }
  }

  public func cancelAlert(id: String) { phone.notifications.removeValue(forKey: id)?.cancel() }

  // MARK: The rest

  /// A stored value; it outlives the process, as user defaults do.
  public subscript(key: String) -> String? {
    get { phone.storage[key] }
    set { if process != nil { phone.storage[key] = newValue } }
  }

  /// Writes a line to the phone's log.
  public func note(_ text: String) { if process != nil { phone.record(.note(text)) } }

  /// Charges the energy of one use of the cellular network.
  public func useNetwork() {
    if process != nil { phone.charge(.cellular, phone.energyProfile.cellularJoules) }
  }

  /// True if the phone's system has live updates (iOS 17).
  public var hasLiveUpdates: Bool { phone.iOSVersion?.hasMonitors ?? false }

  /// The time of the last change of motion by the phone's clock; nil before the first.
  public var motionSince: Instant? { phone.motionSince.map { $0 + phone.clockError } }

  /// Reports changes of motion while the application runs, with the classifier's delay; nil stops.
  public func watchMotion(_ handler: ((Journey.Motion) -> Void)?) {
    guard let process else { return }
    process.motionHandler = handler
    phone.accountForMotion()
    guard handler != nil else { return }
    process.tellMotion(
      at: max(phone.motionNoticedAt, phone.now + .seconds(phone.parameters.motionFirstSeconds)))
  }
}

extension Date {
  init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000) }
}

extension Instant {
  /// Rounds to the nearest millisecond; a date outside the allowed range is clamped to it.
  init(_ date: Date) {
    let seconds = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    self.init(millisecondsSince1970: Int64((seconds * 1000).rounded()))
  }
}
