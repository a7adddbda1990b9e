/// An application as the phone sees it: made anew at each launch, gone with its process.
///
/// Ordinary location code needs nothing but a factory that makes it:
///
///     phone.install { launch in Walker(launch.environment) }
public protocol PhoneApplication: AnyObject {
  func didEnterForeground()
  func didEnterBackground()
  /// Only when it was running; a suspended application is ended without a word.
  func willTerminate()
}

extension PhoneApplication {
  public func didEnterForeground() {}
  public func didEnterBackground() {}
  public func willTerminate() {}
}

/// Why an application starts, and what it may use.
public struct Launch {
  public let cause: Occurrence.Cause
  public let environment: ApplicationEnvironment

  /// Launched for a location event, by nobody's hand.
  public var isInBackground: Bool { cause != .user }
}
