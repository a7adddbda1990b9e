import AlarmEngine

#if canImport(UIKit)
  import UIKit
#else
  import AppleTwins
#endif

/// Where the system's doings come in. The watch is made at every launch, also at one for a location event; the page only
/// where somebody looks.
#if canImport(UIKit)
  @main
#endif
public final class AppDelegate: UIResponder, UIApplicationDelegate {
  /// Nil only before the launch is over.
  public private(set) var clock: AlarmClock?

  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let clock = AlarmClock()
    self.clock = clock
    clock.launched()
    return true
  }

  public func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    configuration.delegateClass = PageScene.self
    return configuration
  }

  /// The system has carried positions to a server: the app's own session hears of it, and says when all was heard.
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    guard let clock, identifier == Reports.background else { return completionHandler() }
    clock.heedCarriedReports(completionHandler)
  }

  public func applicationWillTerminate(_ application: UIApplication) { clock?.willTerminate() }
}
