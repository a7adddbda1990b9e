import AlarmEngine
import Foundation
import Geometry

/// What the app itself says: in notifications and alarms, where the page is not there to say it.
enum Words {
  static let alarm = "Alarm"
  static let stop = "Stop"
  static let sleep = "Sleep"
  static let perhaps = "You may be inside."
  static let proposal = "A message is ready"
  static let proposalBody = "Open the app to look at it and to send it."
  static let trial = "This is how an alarm rings"
  static let trialBody = "If you hear nothing, look at the volume and at Focus."
  static let asleep = "Your alarms are no longer watched"
  static let asleepBody = "The phone has not let the app run. Open it, and it watches again."
  static let watchFails = "An alarm may come late"
  static let notWatching = "Your alarms are not watched"
  static let filesDamaged = "What the app had kept cannot be read. Open it and look at your zones."
  static let unlock = "Unlock the phone once: after a restart nothing can be read before."
  static func filesFail(_ reason: String) -> String { "What happens cannot be kept on the phone: \(reason)" }

  static func body(of cause: Cause, distance: Distance) -> String {
    let away = "\(Int(max(0, distance.metres).rounded())) m"
    return switch cause {
    case .inside: "You are there."
    case .near: "You are near, \(away) away."
    case .passed: "You passed through."
    case .dwell: "You have been here for a while."
    case .left: "You have left."
    case .possible: "You may be inside, \(away) away."
    }
  }

  static func lostSignal(_ distance: Distance) -> String {
    "No position comes, and the zone was only \(Int(max(0, distance.metres).rounded())) m away."
  }

  static func warning(_ warning: WatchWarning, name: (ZoneID) -> Text?) -> String {
    switch warning {
    case .cannotLocate(let zone):
      "No position comes. By now you may be inside \(name(zone).map { "\($0)" } ?? "a safety zone")."
    case .wifiIsOff: "Wi-Fi is off. Alarms need more battery, and may come later."
    }
  }

  static func title(of trouble: Trouble) -> String {
    switch trouble {
    case .locationRefused: "Alarms cannot ring: location is not allowed"
    case .onlyWhileInUse: "Alarms may be missed: location only while the app is used"
    case .approximateLocation: "Alarms cannot be exact: Precise Location is off"
    case .notificationsOff: "Alarms cannot be seen: notifications are off"
    case .notTimeSensitive: "A Focus can hide alarms: Time Sensitive Notifications are off"
    case .alarmsRefused: "Alarms are silenced by the ring switch: alarms are not allowed"
    case .lowPower: "Low Power Mode: alarms may come later"
    case .noBackgroundRefresh: "Background App Refresh is off: alarms may come later"
    }
  }

  static func body(of trouble: Trouble) -> String {
    switch trouble {
    case .locationRefused, .onlyWhileInUse: "Settings, Proximity, Location: choose Always."
    case .approximateLocation: "Settings, Proximity, Location: switch Precise Location on."
    case .notificationsOff, .notTimeSensitive: "Settings, Proximity, Notifications: switch them on."
    case .alarmsRefused: "Settings, Proximity: allow alarms."
    case .lowPower: "Settings, Battery: switch Low Power Mode off while an alarm matters."
    case .noBackgroundRefresh: "Settings, General, Background App Refresh: switch it on."
    }
  }
}
