import AlarmEngine

extension Phone {
  /// Background limits of Android 8 and later. D [AND-bg].
  var limitsBackground: Bool {
    guard case .android(let api) = system, api >= 26 else { return false }
    guard let process else { return true }
    return process.state != .foreground && !process.hasForegroundService
  }

  /// True if the phone dozes: Android 6 and later, long at rest, the application not in the foreground. K.
  var isDozing: Bool {
    guard case .android(let api) = system, api >= 23, process?.state != .foreground else { return false }
    return !isMoving && now - stillSince >= .seconds(parameters.dozeAfterSeconds)
  }

  /// Rings an exact alarm: at once, or, while the phone dozes, no sooner than the minimum spacing after the
  /// last one.
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
