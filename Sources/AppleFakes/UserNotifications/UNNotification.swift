import Foundation

/// https://developer.apple.com/documentation/usernotifications/unauthorizationoptions
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let alert = Self(rawValue: 4)
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let sound = Self(rawValue: 2)
  public static let list = Self(rawValue: 8)
  public static let banner = Self(rawValue: 16)
}

/// https://developer.apple.com/documentation/usernotifications/unauthorizationstatus
public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined, denied, authorized, provisional, ephemeral
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationsetting
public enum UNNotificationSetting: Int, Sendable { case notSupported, disabled, enabled }

/// https://developer.apple.com/documentation/usernotifications/unnotificationsettings
public final class UNNotificationSettings: Sendable {
  public let authorizationStatus: UNAuthorizationStatus
  public let timeSensitiveSetting: UNNotificationSetting
  init(_ settings: FakePhone.Settings) {
    authorizationStatus =
      switch settings.notifications {
      case .undecided: .notDetermined
      case .granted: .authorized
      case .denied: .denied
      }
    timeSensitiveSetting = settings.timeSensitive ? .enabled : .disabled
  }
}

/// https://developer.apple.com/documentation/usernotifications/unerror-swift.struct/code/notificationsnotallowed
public struct UNError: Error, Hashable, Sendable {
  public enum Code: Int, Sendable { case notificationsNotAllowed = 1 }
  public let code: Code
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel
public enum UNNotificationInterruptionLevel: UInt, Sendable { case passive, active, timeSensitive, critical }

/// https://developer.apple.com/documentation/usernotifications/unnotificationsoundname
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ name: String) { rawValue = name }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationsound
public final class UNNotificationSound: Sendable {
  let name: String?
  /// https://developer.apple.com/documentation/usernotifications/unnotificationsound/default
  public static let `default` = UNNotificationSound(nil)
  /// https://developer.apple.com/documentation/usernotifications/unnotificationsound/init(named:)
  public init(named name: UNNotificationSoundName) { self.name = name.rawValue }
  private init(_ name: String?) { self.name = name }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationcontent
open class UNNotificationContent: @unchecked Sendable {
  public fileprivate(set) var storedTitle = ""
  public fileprivate(set) var storedBody = ""
  public fileprivate(set) var storedSound: UNNotificationSound?
  public fileprivate(set) var storedLevel = UNNotificationInterruptionLevel.active
  public fileprivate(set) var storedCategory = ""
  public fileprivate(set) var storedThread = ""
  public var title: String { storedTitle }
  public var body: String { storedBody }
  init() {}
}

/// https://developer.apple.com/documentation/usernotifications/unmutablenotificationcontent
public final class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  public override init() {}
  public override var title: String {
    get { storedTitle }
    set { storedTitle = newValue }
  }
  public override var body: String {
    get { storedBody }
    set { storedBody = newValue }
  }
  public var sound: UNNotificationSound? {
    get { storedSound }
    set { storedSound = newValue }
  }
  public var interruptionLevel: UNNotificationInterruptionLevel {
    get { storedLevel }
    set { storedLevel = newValue }
  }
  public var categoryIdentifier: String {
    get { storedCategory }
    set { storedCategory = newValue }
  }
  public var threadIdentifier: String {
    get { storedThread }
    set { storedThread = newValue }
  }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationtrigger
open class UNNotificationTrigger: @unchecked Sendable { init() {} }

/// https://developer.apple.com/documentation/usernotifications/untimeintervalnotificationtrigger
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  public let timeInterval: TimeInterval
  /// https://developer.apple.com/documentation/usernotifications/untimeintervalnotificationtrigger/init(timeinterval:repeats:)
  /// - Precondition: `timeInterval` is above zero, as on an iPhone.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "a notification's interval is above zero")
    self.timeInterval = timeInterval
    super.init()
  }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationrequest
public final class UNNotificationRequest: @unchecked Sendable {
  public let identifier: String
  public let content: UNNotificationContent
  public let trigger: UNNotificationTrigger?
  /// https://developer.apple.com/documentation/usernotifications/unnotificationrequest/init(identifier:content:trigger:)
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }
}

/// https://developer.apple.com/documentation/usernotifications/unnotification
public final class UNNotification: Sendable {
  public let request: UNNotificationRequest
  init(_ request: UNNotificationRequest) { self.request = request }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationresponse
public final class UNNotificationResponse: Sendable {
  public let notification: UNNotification
  public let actionIdentifier: String
  init(_ notification: UNNotification, _ action: String) {
    self.notification = notification
    actionIdentifier = action
  }
}
/// https://developer.apple.com/documentation/usernotifications/unnotificationdefaultactionidentifier
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// https://developer.apple.com/documentation/usernotifications/unnotificationdismissactionidentifier
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// https://developer.apple.com/documentation/usernotifications/unnotificationactionoptions
public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationaction
public final class UNNotificationAction: Sendable {
  public let identifier: String
  public let title: String
  /// https://developer.apple.com/documentation/usernotifications/unnotificationaction/init(identifier:title:options:)
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
  }
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationcategoryoptions
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// https://developer.apple.com/documentation/usernotifications/unnotificationcategoryoptions/customdismissaction
  public static let customDismissAction = Self(rawValue: 1)
}

/// https://developer.apple.com/documentation/usernotifications/unnotificationcategory
public final class UNNotificationCategory: Hashable, Sendable {
  public let identifier: String
  public let actions: [UNNotificationAction]
  public let options: UNNotificationCategoryOptions
  /// https://developer.apple.com/documentation/usernotifications/unnotificationcategory/init(identifier:actions:intentidentifiers:options:)
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
    self.options = options
  }
  public static func == (a: UNNotificationCategory, b: UNNotificationCategory) -> Bool {
    a.identifier == b.identifier
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
