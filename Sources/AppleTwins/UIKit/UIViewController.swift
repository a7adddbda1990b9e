import Foundation

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor
open class UIView: UIResponder {
  public override init() {}
}

/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor
open class UIViewController: UIResponder {
  private var loaded: UIView?

  public override init() {}

  /// https://developer.apple.com/documentation/uikit/uiviewcontroller/view
  public var view: UIView! {
    get {
      if loaded == nil {
        loadView()
        viewDidLoad()
      }
      return loaded
    }
    set { loaded = newValue }
  }
  /// https://developer.apple.com/documentation/uikit/uiviewcontroller/loadview()
  open func loadView() { loaded = UIView() }
  /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()
  open func viewDidLoad() {}
}

/// https://developer.apple.com/documentation/uikit/uiwindow
public final class UIWindow: UIView {
  /// https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller
  public var rootViewController: UIViewController?
  /// https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)
  public init(windowScene: UIWindowScene) { super.init() }
  /// https://developer.apple.com/documentation/uikit/uiwindow/makekeyandvisible()
  public func makeKeyAndVisible() { _ = rootViewController?.view }
}

/// https://developer.apple.com/documentation/uikit/uidevice
@MainActor
public final class UIDevice {
  /// https://developer.apple.com/documentation/uikit/uidevice/current
  public static let current = UIDevice()
  /// https://developer.apple.com/documentation/uikit/uidevice/isbatterymonitoringenabled
  public var isBatteryMonitoringEnabled: Bool {
    get { TwinPhone.current.isBatteryMonitored }
    set { TwinPhone.current.isBatteryMonitored = newValue }
  }
  /// https://developer.apple.com/documentation/uikit/uidevice/batterylevel
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? TwinPhone.current.settings.batteryLevel : -1 }
  /// https://developer.apple.com/documentation/uikit/uidevice/batteryleveldidchangenotification
  public static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
}
