import AlarmEngine
import Foundation
import PhoneSimulator

/// The notification centre of one phone, as a person sees it.
@MainActor
public final class NotificationCentre {
  /// Something that was shown.
  public struct Shown: Hashable, Sendable {
    public let time: Instant
    public let id: String
    public let title: String
    public let body: String
    public let isTimeSensitive: Bool
    /// With a sound.
    public let isLoud: Bool
    /// In place of one of the same id that still stood there.
    public let replaces: Bool
    public let category: String
  }
  struct Pending {
    let request: UNNotificationRequest
    let fires: Instant
  }

  /// All notifications ever shown.
  public private(set) var shown: [Shown] = []
  /// The ids of the notifications on the screen now, ascending.
  public var standing: [String] { delivered.keys.sorted() }
  /// The scheduled notifications, the earliest first.
  public var planned: [(id: String, fires: Instant)] { pending.map { ($0.request.identifier, $0.fires) } }

  /// Called after a notification was shown, to do what a person would do then.
  public var onShown: (Shown) -> Void = { _ in }

  weak var delegate: (any UNUserNotificationCenterDelegate)?
  public internal(set) var categories: Set<UNNotificationCategory> = []
  private(set) var pending: [Pending] = []
  private var delivered: [String: UNNotification] = [:]

  /// D: the system keeps the 64 that fire soonest and drops the others.
  static let mostPending = 64

  nonisolated init() {}

  func add(_ request: UNNotificationRequest) -> UNError? {
    guard FakePhone.isRunning else { return nil }
    guard FakePhone.current.settings.notifications == .granted else {
      return UNError(code: .notificationsNotAllowed)
    }
    pending.removeAll { $0.request.identifier == request.identifier }
    guard let trigger = request.trigger as? UNTimeIntervalNotificationTrigger else {
      show(request)
      return nil
    }
    plan(request, after: trigger.timeInterval)
    return nil
  }

  private func plan(_ request: UNNotificationRequest, after seconds: TimeInterval) {
    let fires = FakePhone.now + .seconds(seconds)
    pending.append(Pending(request: request, fires: fires))
    pending.sort { ($0.fires, $0.request.identifier) < ($1.fires, $1.request.identifier) }
    if pending.count > Self.mostPending { pending.removeLast() }
    FakePhone.after(seconds) { [weak self, weak request] in
      guard let self, let request,
        let place = pending.firstIndex(where: { $0.request === request })
      else { return }
      pending.remove(at: place)
      guard Phone.current?.isOn ?? false else { return }
      show(request)
    }
  }

  private func show(_ request: UNNotificationRequest) {
    let notification = UNNotification(request)
    guard Phone.current?.isApplicationInForeground ?? false, let delegate else {
      return deliver(notification, [.banner, .list, .sound])
    }
    delegate.userNotificationCenter(.current(), willPresent: notification) { options in
      MainActor.assumeIsolated { self.deliver(notification, options) }
    }
  }

  private func deliver(_ notification: UNNotification, _ options: UNNotificationPresentationOptions) {
    guard FakePhone.current.settings.notifications == .granted, !options.isEmpty else { return }
    let (id, content) = (notification.request.identifier, notification.request.content)
    let seen = Shown(
      time: FakePhone.now, id: id, title: content.storedTitle, body: content.storedBody,
      isTimeSensitive: content.storedLevel == .timeSensitive,
      isLoud: content.storedSound != nil && options.contains(.sound), replaces: delivered[id] != nil,
      category: content.storedCategory)
    shown.append(seen)
    delivered[id] = notification
    Phone.current?.show(content.storedTitle)
    onShown(seen)
  }

  func removePending(_ ids: [String]) {
    guard FakePhone.isRunning else { return }
    pending.removeAll { ids.contains($0.request.identifier) }
  }
  func removeDelivered(_ ids: [String]) {
    guard FakePhone.isRunning else { return }
    for id in ids { delivered[id] = nil }
  }

  /// A person touches a notification or one of its buttons; the application is started for it where it does not run.
  ///
  /// - Parameter action: of the notification's category, or one of the system's own.
  /// - Returns: false where no such notification, or no such button, is there.
  @discardableResult
  public func answer(_ id: String, _ action: String, on phone: Phone) -> Bool {
    guard let notification = delivered[id] else { return false }
    let category = categories.first { $0.identifier == notification.request.content.storedCategory }
    let offered =
      [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier]
      + (category?.actions.map(\.identifier) ?? [])
    guard offered.contains(action) else { return false }
    // The system takes an answered notification away.
    delivered[id] = nil
    if action == UNNotificationDismissActionIdentifier,
      !(category?.options.contains(.customDismissAction) ?? false)
    {
      return true
    }
    phone.perform { phone in
      phone.wakeForTask(byUser: true) {
        MainActor.assumeIsolated {
          self.delegate?.userNotificationCenter(
            .current(), didReceive: UNNotificationResponse(notification, action)
          ) {}
        }
      }
    }
    return true
  }
}
