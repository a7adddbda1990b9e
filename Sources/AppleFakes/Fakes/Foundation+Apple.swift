import AlarmEngine
import Foundation
import PhoneSimulator

extension FakePhone {
  /// Seconds since 1970 by the phone's clock.
  static var wallClock: TimeInterval {
    guard let phone = Phone.current else { return 0 }
    return Double((phone.now + phone.clockError).millisecondsSince1970) / 1000
  }
}

extension ProcessInfo {
  /// https://developer.apple.com/documentation/foundation/processinfo/islowpowermodeenabled
  public var isLowPowerModeEnabled: Bool { MainActor.assumeIsolated { FakePhone.current.settings.lowPower } }
}

extension Notification.Name {
  /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/nsprocessinfopowerstatedidchange
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let NSProcessInfoPowerStateDidChange = Notification.Name(
    "NSProcessInfoPowerStateDidChangeNotification")
}

extension URL {
  /// https://developer.apple.com/documentation/foundation/url/startaccessingsecurityscopedresource()
  public func startAccessingSecurityScopedResource() -> Bool { true }
  /// https://developer.apple.com/documentation/foundation/url/stopaccessingsecurityscopedresource()
  public func stopAccessingSecurityScopedResource() {}
}
