import AlarmEngine

/// The dead man's switch: one warning always stands ahead, and each sign of life moves it. Should the app not run again in
/// time, the phone itself says so, by notification and by alarm.
@MainActor
final class SilenceWarning {
  private let notices: Notices
  private let alarms: SystemRinging

  init(notices: Notices, alarms: SystemRinging) {
    self.notices = notices
    self.alarms = alarms
  }

  /// - Parameter time: the latest moment at which nothing can have been missed, as the policy says; nil: no warning.
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
