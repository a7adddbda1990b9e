import AlarmEngine

/// The user's permissions for the application.
struct Permission {
  var status: CLAuthorizationStatus
  /// Always, but not yet confirmed by the user. D [W19-705].
  var isProvisional = false
  /// True while the prompt is shown.
  var isAsking = false
  var isReduced = false
  /// True while full accuracy is granted until the application is no longer in use.
  var hasTemporaryAccuracy = false
  /// True if the permission ends when the application leaves the foreground.
  var isOnce = false
  var servicesEnabled = true
  /// True if the user has been reminded of Always, or the reminder is planned.
  var isReminderPlanned = false
  /// Deliveries that wait for the user to confirm Always.
  var held: [() -> Void] = []
}

/// The simulated user's answers to prompts.
public struct User: Hashable, Sendable {
  public enum Answer: Hashable, Sendable { case always, whenInUse, once, deny }
  /// The answer to the first prompt for permission.
  public var answer = Answer.always
  /// The answer to the later question of whether a provisional Always may stay.
  public var confirmsAlways = true
  /// The answer to the system's later reminder that an application uses Always.
  public var keepsAlways = true
  /// Background App Refresh in the settings; without it iOS 7 wakes no application. K.
  public var allowsBackgroundRefresh = true
  /// The answer to a request for temporary full accuracy.
  public var grantsTemporaryAccuracy = true
  public init() {}
}

extension Phone {
  var isReduced: Bool { permission.isReduced && !permission.hasTemporaryAccuracy }
  var isAuthorized: Bool {
    permission.servicesEnabled
      && (permission.status == .authorizedAlways || permission.status == .authorizedWhenInUse)
  }

  /// The user changes the application's permission in the settings.
  public func setAuthorization(_ status: CLAuthorizationStatus) {
    permission.isProvisional = false
    permission.isOnce = false
    change { $0.status = status }
  }

  /// The user switches location off or on for the whole phone. Android drops all geofences.
  public func setLocationServices(_ enabled: Bool) {
    guard permission.servicesEnabled != enabled else { return }
    permission.servicesEnabled = enabled
    record(.authorization(enabled ? "services on" : "services off"))
    if !enabled { geofences.removeAll() }
    regions.permissionChanged()
    positioning.refresh()
    process?.tellAuthorization()
  }

  /// The user switches precise positions off or on in the settings.
  public func setReducedAccuracy(_ reduced: Bool) { change { $0.isReduced = reduced } }

  func change(_ change: (inout Permission) -> Void) {
    let before = (permission.status, isReduced)
    change(&permission)
    guard before != (permission.status, isReduced) else { return }
    record(.authorization("\(permission.status) \(isReduced ? "reduced" : "full")"))
    regions.permissionChanged()
    if isReduced || !isAuthorized { geofences.removeAll() }
    positioning.refresh()
    process?.tellAuthorization()
  }

  func requestAuthorization(always: Bool) {
    switch permission.status {
    case .notDetermined:
      clock.plan(after: .seconds(parameters.promptAnswerSeconds)) { [unowned self] in
        guard permission.status == .notDetermined else { return }
        answer(always: always)
      }
    case .authorizedWhenInUse where always && !permission.isOnce:
      clock.plan(after: .seconds(parameters.promptAnswerSeconds)) { [unowned self] in
        guard permission.status == .authorizedWhenInUse, user.confirmsAlways else { return }
        change { $0.status = .authorizedAlways }
      }
    case .authorizedWhenInUse, .authorizedAlways, .denied, .restricted:
      break
    }
  }

  private func answer(always: Bool) {
    let provisional = iOSVersion?.alwaysIsProvisional ?? false
    switch user.answer {
    case .deny: change { $0.status = .denied }
    case .once:
      change {
        $0.status = .authorizedWhenInUse
        $0.isOnce = true
      }
    case .whenInUse where !(always && provisional): change { $0.status = .authorizedWhenInUse }
    case .always, .whenInUse:
      change {
        $0.isProvisional = always && provisional
        $0.status = always ? .authorizedAlways : .authorizedWhenInUse
      }
    }
  }

  /// Delivers an event that needs Always now, or holds it until the user has confirmed Always.
  func withConfirmedAlways(_ delivery: @escaping () -> Void) {
    guard permission.isProvisional else { return delivery() }
    permission.held.append(delivery)
    guard !permission.isAsking else { return }
    permission.isAsking = true
    clock.plan(after: .seconds(parameters.alwaysPromptDelaySeconds)) { [unowned self] in
      let held = permission.held
      permission.held = []
      permission.isAsking = false
      permission.isProvisional = false
      guard user.confirmsAlways else { return change { $0.status = .authorizedWhenInUse } }
      for delivery in held { delivery() }
    }
  }

  /// Radius in metres of the area that a reduced position stands for.
  var reducedRadius: Double {
    if case .android = system { return parameters.approximateRadiusMetres }
    return parameters.reducedRadiusMetres
  }

  /// Shows the user, some time after the first use, where the application used Always. D [W19-705], iOS 13.
  func remindOfAlways() {
    let wait = parameters.alwaysReminderSeconds
    guard wait > 0, !permission.isReminderPlanned, iOSVersion?.alwaysIsProvisional ?? false else { return }
    permission.isReminderPlanned = true
    clock.plan(after: .seconds(wait)) { [unowned self] in
      guard permission.status == .authorizedAlways, !user.keepsAlways else { return }
      change { $0.status = .authorizedWhenInUse }
    }
  }

  func requestTemporaryAccuracy(_ completion: @escaping (Bool) -> Void) {
    clock.plan(after: .seconds(parameters.promptAnswerSeconds)) { [unowned self] in
      if user.grantsTemporaryAccuracy { change { $0.hasTemporaryAccuracy = true } }
      completion(user.grantsTemporaryAccuracy)
    }
  }
}
