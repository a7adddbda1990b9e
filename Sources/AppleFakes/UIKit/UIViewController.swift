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
  /// https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    if let sheet = viewControllerToPresent as? UIActivityViewController {
      FakePhone.current.sharing.append(sheet)
    }
    completion?()
  }
  /// Only where there is room for one; not on an iPhone.
  /// https://developer.apple.com/documentation/uikit/uiviewcontroller/popoverpresentationcontroller
  public var popoverPresentationController: UIPopoverPresentationController? { nil }
}

/// https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller
@MainActor
public final class UIPopoverPresentationController {
  /// https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourceview
  public var sourceView: UIView?
}

/// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller
public final class UIActivityViewController: UIViewController {
  /// https://developer.apple.com/documentation/uikit/uiactivity/activitytype
  public struct ActivityType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller/completionwithitemshandler-swift.typealias
  public typealias CompletionWithItemsHandler = (ActivityType?, Bool, [Any]?, (any Error)?) -> Void

  /// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller/completionwithitemshandler-swift.property
  public var completionWithItemsHandler: CompletionWithItemsHandler?
  /// The items offered to share.
  public let items: [Any]

  /// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller/init(activityitems:applicationactivities:)
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
    items = activityItems
    super.init()
  }

  /// Answers the sheet as a person does: saves the items, or dismisses it.
  public func answer(_ isDone: Bool) {
    FakePhone.current.sharing.removeAll { $0 === self }
    completionWithItemsHandler?(nil, isDone, nil, nil)
  }
}

/// https://developer.apple.com/documentation/uikit/uiactivity
@MainActor
open class UIActivity {}

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
    get { FakePhone.current.isBatteryMonitored }
    set { FakePhone.current.isBatteryMonitored = newValue }
  }
  /// https://developer.apple.com/documentation/uikit/uidevice/batterylevel
  public var batteryLevel: Float { isBatteryMonitoringEnabled ? FakePhone.current.settings.batteryLevel : -1 }
  /// https://developer.apple.com/documentation/uikit/uidevice/batterystate-swift.enum
  public enum BatteryState: Int, Sendable { case unknown, unplugged, charging, full }
  /// https://developer.apple.com/documentation/uikit/uidevice/batterystate-swift.property
  public var batteryState: BatteryState { isBatteryMonitoringEnabled ? .unplugged : .unknown }
  /// https://developer.apple.com/documentation/uikit/uidevice/batteryleveldidchangenotification
  public static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
}
