import Dispatch
import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler
public final class BGTaskScheduler: Sendable {
  /// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/shared
  public static let shared = BGTaskScheduler()
  /// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/register(fortaskwithidentifier:using:launchhandler:)
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    MainActor.assumeIsolated {
      guard FakePhone.isRunning else { return false }
      FakePhone.current.tasks.handlers[identifier] = launchHandler
      return true
    }
  }
  /// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:)
  public func submit(_ request: BGTaskRequest) throws {
    let (id, begin) = (request.identifier, request.earliestBeginDate)
    try MainActor.assumeIsolated { try FakePhone.current.tasks.submit(id, begin) }
  }

  /// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/error-swift.struct/code
  public enum Error: Swift.Error, Hashable, Sendable { case unavailable, notPermitted }
}

/// https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest
open class BGTaskRequest {
  public let identifier: String
  /// https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest/earliestbegindate
  public var earliestBeginDate: Date?
  init(_ identifier: String) { self.identifier = identifier }
}
/// https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtaskrequest
public final class BGAppRefreshTaskRequest: BGTaskRequest {
  /// https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtaskrequest/init(identifier:)
  public init(identifier: String) { super.init(identifier) }
}

/// https://developer.apple.com/documentation/backgroundtasks/bgtask
public final class BGTask {
  public let identifier: String
  /// https://developer.apple.com/documentation/backgroundtasks/bgtask/expirationhandler
  public var expirationHandler: (() -> Void)?
  public private(set) var isCompleted = false
  init(_ identifier: String) { self.identifier = identifier }
  /// https://developer.apple.com/documentation/backgroundtasks/bgtask/settaskcompleted(success:)
  public func setTaskCompleted(success: Bool) { isCompleted = true }
}

/// The tasks that the system is to run. Each runs half an hour after its earliest begin date.
@MainActor
final class PlannedTasks {
  /// The handlers of the running process, by task identifier.
  var handlers: [String: @Sendable (BGTask) -> Void] = [:]
  private var latest: [String: Int] = [:]
  private var number = 0

  nonisolated init() {}

  func submit(_ id: String, _ begin: Date?) throws {
    guard FakePhone.isRunning else { return }
    guard FakePhone.current.settings.backgroundRefresh else { throw BGTaskScheduler.Error.unavailable }
    guard handlers[id] != nil else { throw BGTaskScheduler.Error.notPermitted }
    number += 1
    let mine = number
    latest[id] = mine
    let wait = max(0, (begin?.timeIntervalSince1970 ?? 0) - FakePhone.wallClock) + 1800
    FakePhone.after(wait) { [weak self] in
      guard let self, latest[id] == mine, FakePhone.current.settings.backgroundRefresh else { return }
      latest[id] = nil
      Phone.current?.wakeForTask { MainActor.assumeIsolated { self.handlers[id]?(BGTask(id)) } }
    }
  }
}
