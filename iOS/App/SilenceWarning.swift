import AlarmEngine

/// A dead man's switch: one warning is always planned, and each sign of life postpones it. If the app does
/// not run again in time, the phone itself warns, by notification and by alarm.
@MainActor
final class SilenceWarning {
  private let notices: Notices
  private let alarms: SystemRinging

  init(notices: Notices, alarms: SystemRinging) {
    self.notices = notices
    self.alarms = alarms
  }

  /// - Parameter time: the latest moment at which no alarm can have been missed, by the policy; nil for no
  ///   warning.
  func plan(_ time: Instant?) {
    guard let time else {
      notices.withdrawSilence()
      alarms.warn(after: nil)
      return
    }
    let span = max(time - Platform.now, .seconds(1))
    notices.planSilence(after: span)
    alarms.warn(after: span)
  }
}
