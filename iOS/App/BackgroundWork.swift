import Foundation

#if canImport(UIKit)
  import BackgroundTasks
  import UIKit
#else
  import AppleTwins
#endif

/// Time in the background: held to finish something, and asked for now and then to look whether all is well.
@MainActor
final class BackgroundWork {
  /// Also under BGTaskSchedulerPermittedIdentifiers of Info.plist.
  static let refresh = "app.proximity.alarm.look"
  private static let often: TimeInterval = 1800

  var onTime: () -> Void = {}
  private let name: String
  private var held = UIBackgroundTaskIdentifier.invalid

  init(named name: String) { self.name = name }

  /// Before the launch is over, as the system demands.
  func begin() {
    _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: .main) {
      [weak self] task in
      nonisolated(unsafe) let task = task
      MainActor.assumeIsolated {
        task.expirationHandler = {}
        self?.plan()
        self?.onTime()
        task.setTaskCompleted(success: true)
      }
    }
    plan()
  }

  func plan() {
    let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
    request.earliestBeginDate = Date(timeIntervalSince1970: Platform.wallClock + Self.often)
    // Refused where Background App Refresh is off; that is told as a trouble.
    try? BGTaskScheduler.shared.submit(request)
  }

  func hold() {
    guard held == .invalid else { return }
    held = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in self?.release() }
  }
  func release() {
    guard held != .invalid else { return }
    UIApplication.shared.endBackgroundTask(held)
    held = .invalid
  }
}
