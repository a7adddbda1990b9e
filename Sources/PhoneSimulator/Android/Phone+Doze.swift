import AlarmEngine

extension Phone {
  /// Background limits of Android 8 and later. D [AND-bg].
  var limitsBackground: Bool {
    guard case .android(let api) = system, api >= 26 else { return false }
    guard let process else { return true }
    return process.state != .foreground && !process.hasForegroundService
  }

  /// Android 6 and later, long at rest with nobody looking. K.
  var isDozing: Bool {
    guard case .android(let api) = system, api >= 23, process?.state != .foreground else { return false }
    return !isMoving && now - stillSince >= .seconds(parameters.dozeAfterSeconds)
  }

  /// Lets an exact alarm ring: at once, or, while the phone dozes, no sooner than the spacing after the last one.
  func ringAlarm(key: String, _ ring: @escaping () -> Void) {
    if isDozing, let last = lastDozeAlarm {
      let free = last + .seconds(parameters.dozeAlarmSpacingSeconds)
      if free > now {
        notifications[key] = clock.plan(at: free) { [unowned self] in ringAlarm(key: key, ring) }
        return
      }
    }
    if isDozing { lastDozeAlarm = now }
    ring()
  }
}
