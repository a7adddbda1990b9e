import AlarmEngine

/// What the user has allowed.
struct Permission {
  var status: CLAuthorizationStatus
  /// Always, but not yet confirmed by the user. D [W19-705].
  var isProvisional = false
  /// The prompt for it is being shown.
  var isAsking = false
  var isReduced = false
  /// Full accuracy lent until the application stops being in use.
  var hasTemporaryAccuracy = false
  /// Only until the application leaves the foreground.
  var isOnce = false
  var servicesEnabled = true
  /// The user has been, or is to be, reminded of Always.
  var isReminderPlanned = false
  /// Deliveries that wait for the confirmation.
  var held: [() -> Void] = []
}

/// How the simulated user answers what the phone asks.
public struct User: Hashable, Sendable {
  public enum Answer: Hashable, Sendable { case always, whenInUse, once, deny }
  /// To the first prompt for permission.
  public var answer = Answer.always
  /// To the later question whether a provisional Always may stay.
  public var confirmsAlways = true
  /// To the system's later reminder that an application uses Always.
  public var keepsAlways = true
  /// Background App Refresh in the settings; iOS 7 wakes nobody without it. K.
  public var allowsBackgroundRefresh = true
  /// To a request for full accuracy for the time being.
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

  /// Lets an event that needs Always pass now, or holds it until the user has confirmed.
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

  /// Metres of an area that a position is reduced to.
  var reducedRadius: Double {
    if case .android = system { return parameters.approximateRadiusMetres }
    return parameters.reducedRadiusMetres
  }

  /// The system shows, some time after the first use, where the application used its Always. D [W19-705], iOS 13.
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
