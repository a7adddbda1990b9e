import Foundation

#if canImport(UIKit)
  import BackgroundTasks
  import UIKit
#else
  import AppleFakes
#endif

/// Time in the background: held to finish a task, and requested at intervals to check the app's state.
@MainActor
final class BackgroundWork {
  /// The identifier, also under BGTaskSchedulerPermittedIdentifiers of Info.plist.
  static let refresh = "app.proximity.alarm.look"
  private static let often: TimeInterval = 1800

  var onTime: () -> Void = {}
  private let name: String
  private var held = UIBackgroundTaskIdentifier.invalid

  init(named name: String) { self.name = name }

  /// Registers the task. Must be called before the launch is over.
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
    // Refused if Background App Refresh is off, which is shown as a trouble.
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
