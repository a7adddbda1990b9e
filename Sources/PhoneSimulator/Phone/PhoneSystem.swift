/// The operating system, which decides the application's rights and when it is awake.
public enum PhoneSystem: Hashable, Sendable, CustomStringConvertible {
  /// Host class H2 while suspended, H1 while a background session lives.
  case iOS(IOSVersion)
  /// Host class H2 by geofences; H1 while its foreground service runs.
  case android(api: Int)
  /// Host class H0: alive only while visible.
  case webPage

  public var description: String {
    switch self {
    case .iOS(let version): "iOS \(version)"
    case .android(let api): "Android API \(api)"
    case .webPage: "web page"
    }
  }
}

public struct IOSVersion: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByIntegerLiteral
{
  public let major: Int
  public let minor: Int

  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }
  public init(integerLiteral major: Int) { self.init(major) }

  public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
  public var description: String { "\(major).\(minor)" }
}

extension IOSVersion {
  /// True if regions and significant changes start an application again that its user swiped away.
  ///
  /// iOS 4 to 6 yes (D [W10-115]); 7.0 no (K); 7.1 to 18 yes (D [W14-706], R); 26 no (R [F-826964]).
  func relaunchesAfterForceQuit(_ parameters: PhoneParameters) -> Bool {
    if self >= 26 { return parameters.forceQuit26Relaunches > 0 }
    return self < 7 || self >= IOSVersion(7, 1)
  }

  /// True if location wakes an application only with Background App Refresh. K for iOS 7; from 8 on D
  /// [W14-706].
  var needsBackgroundRefresh: Bool { major == 7 }

  /// True if a new region may be reported as outside before its state is known. R [NG-37], iOS 26.
  var mayCallRegionsOutsideFirst: Bool { self >= 26 }

  /// True if a session must be started in the foreground to continue in the background. D [W13-307], iOS 7.
  var sessionsStartInForeground: Bool { self >= 7 }

  /// True if `allowsBackgroundLocationUpdates` takes effect. D [W15-714], iOS 9.
  var hasBackgroundFlag: Bool { self >= 9 }

  /// True if satellite fixes can be collected while the application sleeps. D [DN], iOS 6 to 12.
  var defersUpdates: Bool { self >= 6 && self < 13 }

  /// True if a monitor's events in the background may need a service session. D/R, iOS 18.
  var hasServiceSessions: Bool { self >= 18 }

  /// True if monitors, live updates and background activities exist. D, iOS 17.
  var hasMonitors: Bool { self >= 17 }

  /// True if Always is granted provisionally and confirmed at its first use. D [W19-705], iOS 13.
  var alwaysIsProvisional: Bool { self >= 13 }

  /// True if `locationManagerDidChangeAuthorization(_:)` replaces `didChangeAuthorization`. D, iOS 14.
  var tellsAuthorizationAtCreation: Bool { self >= 14 }

  func backgroundBudget(_ parameters: PhoneParameters) -> Double {
    if self < 7 { return parameters.backgroundBudget4Seconds }
    return self < 13 ? parameters.backgroundBudget7Seconds : parameters.backgroundBudget13Seconds
  }
}
