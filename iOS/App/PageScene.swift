#if canImport(UIKit)
  import UIKit
#else
  import AppleFakes
#endif

/// The one window of the app.
public final class PageScene: UIResponder, UIWindowSceneDelegate {
  public var window: UIWindow?

  #if !canImport(UIKit)
    public override init() {}
  #endif

  private var clock: AlarmClock? { (UIApplication.shared.delegate as? AppDelegate)?.clock }

  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene, let clock else { return }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = clock.page
    window.makeKeyAndVisible()
    self.window = window
    open(connectionOptions.urlContexts)
  }

  public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    open(contexts)
  }

  private func open(_ contexts: Set<UIOpenURLContext>) {
    if let url = contexts.map(\.url).min(by: { $0.path < $1.path }) { clock?.opened(url) }
  }

  public func sceneWillEnterForeground(_ scene: UIScene) { clock?.cameToForeground() }
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  public func sceneDidEnterBackground(_ scene: UIScene) { clock?.wentToBackground() }
}
