import Foundation

/// The fake of iOS 17's background activity session. While one is held, live updates go on in the background,
/// with When-In-Use permission too. It is started in the foreground and made anew after a relaunch.
public final class CLBackgroundActivitySession: NSObject {
  private weak var process: AppProcess?

  /// - Precondition: an application is running on the current phone.
  public override init() {
    guard let phone = Phone.current, let process = phone.process else {
      preconditionFailure("a background activity is begun by an application that runs on a phone")
    }
    precondition(phone.iOSVersion?.hasMonitors ?? false, "\(phone.system) has no background activities")
    super.init()
    self.process = process
    process.beginActivity()
  }

  public func invalidate() {
    process?.endActivity()
    process = nil
  }

  deinit { process?.endActivity() }
}

/// The fake of iOS 18's service session: asks for the permission it needs. While a session for Always is
/// held, or was held when the process ended, monitors deliver events in the background.
public final class CLServiceSession: NSObject {
  private weak var process: AppProcess?

  public enum AuthorizationRequirement: Sendable { case none, whenInUse, always }

  /// - Precondition: an application is running on the current phone.
  public init(authorization: AuthorizationRequirement) {
    guard let phone = Phone.current else {
      preconditionFailure("a service session is begun by an application that runs on a phone")
    }
    precondition(phone.iOSVersion?.hasServiceSessions ?? false, "\(phone.system) has no service sessions")
    super.init()
    if authorization == .always {
      process = phone.process
      phone.holdsAlwaysSession = true
    }
    switch authorization {
    case .none: break
    case .whenInUse: phone.requestAuthorization(always: false)
    case .always: phone.requestAuthorization(always: true)
    }
  }

  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(authorization: authorization)
    Phone.current?.requestTemporaryAccuracy { _ in }
  }

  public func invalidate() {
    // A process that has ended cannot give up its session.
    if process?.isAlive ?? false { process?.phone.holdsAlwaysSession = false }
    process = nil
  }

  deinit { invalidate() }
}
