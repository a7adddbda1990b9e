import Foundation

/// The twin of iOS 17's background activity: while one is held, live updates go on in the background, with
/// When-In-Use permission too. Started in the foreground; made anew after a relaunch.
public final class CLBackgroundActivitySession: NSObject {
  private weak var process: AppProcess?

  /// - Precondition: an application is running on the current phone.
  public override init() {
    guard let phone = Phone.current, let process = phone.process else {
      preconditionFailure("a background activity is begun by an application that runs on a phone")
    }
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

/// The twin of iOS 18's declarative permission: asks for what it needs while it is held.
public final class CLServiceSession: NSObject {
  public enum AuthorizationRequirement: Sendable { case none, whenInUse, always }

  /// - Precondition: an application is running on the current phone.
  public init(authorization: AuthorizationRequirement) {
    guard let phone = Phone.current else {
      preconditionFailure("a service session is begun by an application that runs on a phone")
    }
    super.init()
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

  public func invalidate() {}
}
