import AlarmEngine

#if canImport(UIKit)
  import UIKit
#else
  import AppleFakes
#endif

/// The entry point for the system's events. The watch is made at every launch, including one for a location
/// event; the page is made only when it is shown.
#if canImport(UIKit)
  @main
#endif
public final class AppDelegate: UIResponder, UIApplicationDelegate {
  /// Nil only until the launch is over.
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

  /// The system has sent positions to a server in the background. The app's own session receives the results,
  /// and calls the handler after the last one.
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    guard let clock, identifier == Reports.background else { return completionHandler() }
    clock.awaitCarriedReports(completionHandler)
  }

  public func applicationWillTerminate(_ application: UIApplication) { clock?.willTerminate() }
}
