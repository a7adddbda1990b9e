import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor
open class UIResponder {
  public init() {}
}

/// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor
public final class UIApplication: UIResponder {
  /// https://developer.apple.com/documentation/uikit/uiapplication/shared
  public static var shared: UIApplication {
    guard let running = FakePhone.current.application else {
      preconditionFailure("no application is running")
    }
    return running
  }

  /// https://developer.apple.com/documentation/uikit/uiapplication/delegate
  public weak var delegate: (any UIApplicationDelegate)?
  /// https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
  public internal(set) var applicationState = State.inactive
  var openFile: (URL) -> Void = { _ in }

  /// https://developer.apple.com/documentation/uikit/uiapplication/state
  public enum State: Int, Sendable { case active, inactive, background }

  /// https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
  public struct LaunchOptionsKey: Hashable, Sendable {
    public let rawValue: String
    /// https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey/location
    public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// https://developer.apple.com/documentation/uikit/uiapplication/backgroundrefreshstatus
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    FakePhone.current.settings.backgroundRefresh ? .available : .denied
  }
  /// https://developer.apple.com/documentation/uikit/uiapplication/backgroundrefreshstatusdidchangenotification
  public static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")
  /// https://developer.apple.com/documentation/uikit/uiapplication/protecteddatadidbecomeavailablenotification
  public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")
  /// https://developer.apple.com/documentation/uikit/uiapplication/opensettingsurlstring
  public static let openSettingsURLString = "app-settings:"

  /// https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    FakePhone.current.opened.append(url)
    completionHandler?(true)
  }
  /// https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

  /// https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
  public func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    let id = Phone.current?.environment?.beginBackgroundTask {
      MainActor.assumeIsolated { expirationHandler?() }
    }
    return id.map(UIBackgroundTaskIdentifier.init(rawValue:)) ?? .invalid
  }
  /// https://developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    Phone.current?.environment?.endBackgroundTask(identifier.rawValue)
  }
}

/// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/invalid
  public static let invalid = Self(rawValue: 0)
}

/// https://developer.apple.com/documentation/uikit/uibackgroundrefreshstatus
public enum UIBackgroundRefreshStatus: Int, Sendable { case restricted, denied, available }

/// https://developer.apple.com/documentation/uikit/uiapplicationdelegate
@MainActor
public protocol UIApplicationDelegate: AnyObject {
  /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didfinishlaunchingwithoptions:)
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:configurationforconnecting:options:)
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration
  /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationwillterminate(_:)
  func applicationWillTerminate(_ application: UIApplication)
  /// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:handleeventsforbackgroundurlsession:completionhandler:)
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
}
