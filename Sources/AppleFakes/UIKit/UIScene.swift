import Foundation

/// https://developer.apple.com/documentation/uikit/uiscene
@MainActor
open class UIScene: UIResponder {
  /// https://developer.apple.com/documentation/uikit/uiscene/connectionoptions
  @MainActor public final class ConnectionOptions {
    /// https://developer.apple.com/documentation/uikit/uiscene/connectionoptions/urlcontexts
    public var urlContexts: Set<UIOpenURLContext> = []
  }
}

/// https://developer.apple.com/documentation/uikit/uiopenurlcontext
@MainActor
public final class UIOpenURLContext: Hashable {
  /// https://developer.apple.com/documentation/uikit/uiopenurlcontext/url
  public let url: URL
  init(_ url: URL) { self.url = url }
  nonisolated public static func == (a: UIOpenURLContext, b: UIOpenURLContext) -> Bool { a === b }
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
public final class UIWindowScene: UIScene {}

/// https://developer.apple.com/documentation/uikit/uiscenesession
@MainActor
public final class UISceneSession {
  /// https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct
  public struct Role: Hashable, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct/windowapplication
    public static let windowApplication = Self()
  }
  /// https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.property
  public let role = Role.windowApplication
}

/// https://developer.apple.com/documentation/uikit/uisceneconfiguration
@MainActor
public final class UISceneConfiguration {
  /// https://developer.apple.com/documentation/uikit/uisceneconfiguration/delegateclass
  public var delegateClass: AnyClass?
  /// https://developer.apple.com/documentation/uikit/uisceneconfiguration/init(name:sessionrole:)
  public init(name: String?, sessionRole: UISceneSession.Role) {}
}

/// https://developer.apple.com/documentation/uikit/uiwindowscenedelegate
///
/// UIKit makes the delegate by its class; there every class of Objective-C has an initializer without arguments.
@MainActor
public protocol UIWindowSceneDelegate: AnyObject {
  init()
  /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:openurlcontexts:)
  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
  /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenewillenterforeground(_:)
  func sceneWillEnterForeground(_ scene: UIScene)
  /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidbecomeactive(_:)
  func sceneDidBecomeActive(_ scene: UIScene)
  /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidenterbackground(_:)
  func sceneDidEnterBackground(_ scene: UIScene)
}

extension UIWindowSceneDelegate {
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}
