import AlarmEngine
import Foundation

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleFakes
#endif

/// The app's notifications. Each has an id, and replaces an earlier one with the same id.
@MainActor
public final class Notices: NSObject {
  /// The button that a person pressed on an alarm's notification.
  enum Answer: String, CaseIterable { case stop, sleep, close }
  var onAnswer: (AlarmID, Answer) -> Void = { _, _ in }
  /// Called when a person swiped away an alarm's notification with this title and body.
  var onSwiped: (AlarmID, _ title: String, _ body: String) -> Void = { _, _, _ in }

  /// Called when a person touched the warning that nothing is watched.
  var onSilenceTouched: () -> Void = {}

  private static let alarmCategory = "alarm"
  private var centre: UNUserNotificationCenter { .current() }

  enum Notice {
    /// An alarm; silent if `sound` is empty.
    case alarm(AlarmID, title: String, body: String, sound: String)
    /// A silent notification about a zone.
    case quiet(ZoneID, title: String, body: String)
    /// A list entry at one of its places, with one sound.
    case reminder(ZoneID, title: String, body: String)
    case lostSignal(ZoneID, title: String, body: String)
    /// A message is ready for the person to send.
    case proposal
    /// Positions are no longer sent to the server, and the reason.
    case reportsEnd(String)
    case trouble(Trouble)
    case warning(String)
    case files(String)

    var id: String {
      switch self {
      case .alarm(let alarm, _, _, _): "alarm.\(alarm)"
      case .quiet(let zone, _, _), .reminder(let zone, _, _): "zone.\(zone)"
      case .lostSignal(let zone, _, _): "signal.\(zone)"
      case .proposal: "proposal"
      case .reportsEnd: "reports"
      case .trouble(let trouble): "trouble.\(trouble.rawValue)"
      case .warning: "warning"
      case .files: "files"
      }
    }
  }

  /// Registers for answers. Must be called before the launch is over, so that the answer for which the app
  /// was launched arrives.
  func begin() {
    centre.delegate = self
    let actions = [
      UNNotificationAction(identifier: Answer.stop.rawValue, title: Words.stop, options: []),
      UNNotificationAction(identifier: Answer.sleep.rawValue, title: Words.sleep, options: []),
      UNNotificationAction(identifier: Answer.close.rawValue, title: Words.close, options: []),
    ]
    centre.setNotificationCategories([
      UNNotificationCategory(
        identifier: Self.alarmCategory, actions: actions, intentIdentifiers: [],
        options: [.customDismissAction])
    ])
  }

  func post(_ notice: Notice) {
    let content = UNMutableNotificationContent()
    content.interruptionLevel = .timeSensitive
    content.sound = .default
    switch notice {
    case .alarm(_, let title, let body, let sound):
      content.title = title
      content.body = body
      content.sound =
        sound.isEmpty ? nil : UNNotificationSound(named: UNNotificationSoundName(sound))
      content.categoryIdentifier = Self.alarmCategory
    case .quiet(_, let title, let body):
      content.title = title
      content.body = body
      content.sound = nil
      content.interruptionLevel = .passive
    case .lostSignal(_, let title, let body), .reminder(_, let title, let body):
      content.title = title
      content.body = body
    case .proposal:
      content.title = Words.proposal
      content.body = Words.proposalBody
      content.interruptionLevel = .active
    case .reportsEnd(let body):
      content.title = Words.reportsEnd
      content.body = body
      content.interruptionLevel = .active
    case .trouble(let trouble):
      content.title = Words.title(of: trouble)
      content.body = Words.body(of: trouble)
    case .warning(let body):
      content.title = Words.watchFails
      content.body = body
    case .files(let body):
      content.title = Words.notWatching
      content.body = body
    }
    content.threadIdentifier = notice.id
    centre.add(UNNotificationRequest(identifier: notice.id, content: content, trigger: nil))
  }

  func withdraw(_ notice: Notice) {
    centre.removeDeliveredNotifications(withIdentifiers: [notice.id])
  }

  // MARK: The warning that is planned ahead

  nonisolated private static let silence = "silence"

  /// Plans the warning. The system keeps 64 planned notifications and drops the ones due last, so another one
  /// is removed if needed.
  func planSilence(after span: TimeSpan) {
    addSilence(after: span)
    // `@Sendable` here and below: the system calls back on a thread of its own. Without it the closure
    // belongs to the main actor, and the process is terminated there.
    centre.getPendingNotificationRequests { @Sendable [weak self] pending in
      let all = pending.map(\.identifier)
      guard !all.contains(Self.silence), all.count >= 64, let last = all.last else { return }
      Platform.onMain { [weak self] in
        self?.centre.removePendingNotificationRequests(withIdentifiers: [last])
        self?.addSilence(after: span)
      }
    }
  }
  private func addSilence(after span: TimeSpan) {
    centre.add(planned(Self.silence, Words.asleep, Words.asleepBody, after: span))
  }
  func planTrial(after span: TimeSpan) {
    centre.add(planned("trial", Words.trial, Words.trialBody, after: span))
  }

  private func planned(_ id: String, _ title: String, _ body: String, after span: TimeSpan)
    -> UNNotificationRequest
  {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    _ = AlarmTone.url
    content.sound = UNNotificationSound(named: UNNotificationSoundName(AlarmTone.name))
    content.interruptionLevel = .timeSensitive
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: max(1, span.seconds), repeats: false)
    return UNNotificationRequest(identifier: id, content: content, trigger: trigger)
  }

  func withdrawSilence() {
    centre.removePendingNotificationRequests(withIdentifiers: [Self.silence])
    centre.removeDeliveredNotifications(withIdentifiers: [Self.silence])
  }

  // MARK: Permission

  struct Standing: Sendable {
    var isAllowed: Bool
    var isUndecided: Bool
    var isTimeSensitive: Bool
  }
  func look(_ tell: @escaping @MainActor @Sendable (Standing) -> Void) {
    centre.getNotificationSettings { @Sendable settings in
      let standing = Standing(
        isAllowed: settings.authorizationStatus == .authorized,
        isUndecided: settings.authorizationStatus == .notDetermined,
        isTimeSensitive: settings.timeSensitiveSetting != .disabled)
      Platform.onMain { tell(standing) }
    }
  }
  func ask(_ done: @escaping @MainActor @Sendable () -> Void) {
    centre.requestAuthorization(options: [.alert, .sound]) { @Sendable _, _ in Platform.onMain { done() } }
  }
}

/// The system calls these on the main thread.
extension Notices: @preconcurrency UNUserNotificationCenterDelegate {
  /// Shows and sounds alarms even while the app is in front.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([.banner, .list, .sound]) }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    defer { completionHandler() }
    let (id, content) = (response.notification.request.identifier, response.notification.request.content)
    if id == Self.silence, response.actionIdentifier == UNNotificationDefaultActionIdentifier {
      return onSilenceTouched()
    }
    guard id.hasPrefix("alarm."), let number = UInt64(id.dropFirst(6), radix: 16) else { return }
    let alarm = AlarmID(rawValue: number)
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: break  // The page is opened, and answers.
    case UNNotificationDismissActionIdentifier: onSwiped(alarm, content.title, content.body)
    default: if let answer = Answer(rawValue: response.actionIdentifier) { onAnswer(alarm, answer) }
    }
  }
}
