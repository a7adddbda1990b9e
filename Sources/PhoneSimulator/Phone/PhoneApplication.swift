/// An application as the phone sees it: made anew at each launch, released with its process.
///
/// Ordinary location code needs only a factory:
///
///     phone.install { launch in Walker(launch.environment) }
public protocol PhoneApplication: AnyObject {
  func didEnterForeground()
  func didEnterBackground()
  /// Called only if the application was running; a suspended one gets no callback when it ends.
  func willTerminate()
}

extension PhoneApplication {
  public func didEnterForeground() {}
  public func didEnterBackground() {}
  public func willTerminate() {}
}

/// The cause of an application's start, and the services that it may use.
public struct Launch {
  public let cause: Occurrence.Cause
  public let environment: ApplicationEnvironment

  /// True if launched for an event, not by the user.
  public var isInBackground: Bool { cause != .user }
}
