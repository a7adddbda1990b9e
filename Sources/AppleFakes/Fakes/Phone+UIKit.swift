import Foundation
import PhoneSimulator

extension Phone {
  /// Installs an application that is made of a UIKit delegate; `make` is called at every launch.
  @MainActor
  public func install(_ make: @escaping @MainActor () -> any UIApplicationDelegate) {
    install { launch in UIKitProcess(launch, make) }
  }

  /// A person opens a file of another application with this one.
  @MainActor
  public func openFile(_ url: URL) {
    openApplication()
    perform { _ in MainActor.assumeIsolated { UIApplication.shared.openFile(url) } }
  }
}

/// A process whose main function is UIKit's: it makes the delegate, connects its scene when the application is opened, and
/// tells both what happens to them.
private final class UIKitProcess: PhoneApplication, @unchecked Sendable {
  private var delegate: (any UIApplicationDelegate)?
  private var scene: (any UIWindowSceneDelegate)?
  private var windowScene: UIWindowScene?

  init(_ launch: Launch, _ make: @escaping @MainActor () -> any UIApplicationDelegate) {
    let isByLocation = launch.isInBackground && launch.cause != .alarm
    MainActor.assumeIsolated {
      let application = UIApplication()
      FakePhone.current.application = application
      application.openFile = { [weak self] in self?.open($0) }
      let delegate = make()
      self.delegate = delegate
      application.delegate = delegate
      // So it is at every launch of an app with scenes, whoever launches it.
      application.applicationState = .background
      _ = delegate.application(
        application, didFinishLaunchingWithOptions: isByLocation ? [.location: true] : nil)
    }
  }

  func didEnterForeground() {
    MainActor.assumeIsolated {
      let application = UIApplication.shared
      if scene == nil { connect(application) }
      application.applicationState = .active
      guard let scene, let windowScene else { return }
      scene.sceneWillEnterForeground(windowScene)
      scene.sceneDidBecomeActive(windowScene)
    }
  }

  @MainActor private func connect(_ application: UIApplication) {
    let session = UISceneSession()
    let options = UIScene.ConnectionOptions()
    guard let delegate else { return }
    let configuration = delegate.application(
      application, configurationForConnecting: session, options: options)
    guard let type = configuration.delegateClass as? any UIWindowSceneDelegate.Type else { return }
    let window = UIWindowScene()
    let made = type.init()
    made.scene(window, willConnectTo: session, options: options)
    (scene, windowScene) = (made, window)
  }

  @MainActor func open(_ url: URL) {
    if let scene, let windowScene { scene.scene(windowScene, openURLContexts: [UIOpenURLContext(url)]) }
  }

  func didEnterBackground() {
    MainActor.assumeIsolated {
      UIApplication.shared.applicationState = .background
      guard let scene, let windowScene else { return }
      scene.sceneDidEnterBackground(windowScene)
    }
  }

  func willTerminate() {
    MainActor.assumeIsolated { delegate?.applicationWillTerminate(UIApplication.shared) }
  }
}
