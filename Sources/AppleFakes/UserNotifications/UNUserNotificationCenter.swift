import AlarmEngine
import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter
///
/// Its handlers are called on a thread of the system's, and are not `@Sendable`, as in headers of Objective-C.
public final class UNUserNotificationCenter: Sendable {
  private static let shared = UNUserNotificationCenter()
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/current()
  public static func current() -> UNUserNotificationCenter { shared }

  private var centre: NotificationCentre {
    MainActor.assumeIsolated { FakePhone.current.notificationCentre }
  }

  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/delegate
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { nil }
    set {
      nonisolated(unsafe) let delegate = newValue
      MainActor.assumeIsolated { centre.delegate = delegate }
    }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/requestauthorization(options:completionhandler:)
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping (Bool, (any Error)?) -> Void
  ) {
    MainActor.assumeIsolated {
      FakePhone.after(0) {
        if case .undecided(let answer) = FakePhone.current.settings.notifications {
          FakePhone.current.settings.notifications = answer ? .granted : .denied
        }
        let isGranted = FakePhone.current.settings.notifications == .granted
        FakePhone.offMain { completionHandler(isGranted, nil) }
      }
    }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/getnotificationsettings(completionhandler:)
  public func getNotificationSettings(
    completionHandler: @escaping (UNNotificationSettings) -> Void
  ) {
    MainActor.assumeIsolated {
      FakePhone.after(0) {
        let settings = UNNotificationSettings(FakePhone.current.settings)
        FakePhone.offMain { completionHandler(settings) }
      }
    }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/setnotificationcategories(_:)
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    MainActor.assumeIsolated { centre.categories = categories }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/add(_:withcompletionhandler:)
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
  ) {
    let error = MainActor.assumeIsolated { centre.add(request) }
    MainActor.assumeIsolated { FakePhone.after(0) { FakePhone.offMain { completionHandler?(error) } } }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/getpendingnotificationrequests(completionhandler:)
  public func getPendingNotificationRequests(
    completionHandler: @escaping ([UNNotificationRequest]) -> Void
  ) {
    MainActor.assumeIsolated {
      FakePhone.after(0) {
        let pending = FakePhone.current.notificationCentre.pending.map(\.request)
        FakePhone.offMain { completionHandler(pending) }
      }
    }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/removependingnotificationrequests(withidentifiers:)
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    MainActor.assumeIsolated { centre.removePending(identifiers) }
  }
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/removedeliverednotifications(withidentifiers:)
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    MainActor.assumeIsolated { centre.removeDelivered(identifiers) }
  }
}

/// https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate
public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
  /// https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:didreceive:withcompletionhandler:)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)
}
