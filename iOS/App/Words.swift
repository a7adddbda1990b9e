import AlarmEngine
import Foundation
import Geometry

/// The app's own texts, for notifications and alarms that appear while the page is not shown.
enum Words {
  private static func said(_ english: String, _ value: String = "") -> String {
    Translations.said(english, value)
  }

  static var alarm: String { said("Alarm") }
  static var stop: String { said("Stop") }
  static var sleep: String { said("Sleep") }
  static var close: String { said("Close") }
  static var perhaps: String { said("You may be inside.") }
  static var proposal: String { said("A message is ready") }
  static var proposalBody: String { said("Open the app to look at it and to send it.") }
  static var reportsEnd: String { said("Your positions are no longer reported") }
  static var reportsRefusedBody: String {
    said("The server refuses this phone. Make a new link there, and paste it in the app.")
  }
  static func reportsWithoutToken(_ status: Int) -> String {
    said(
      "The phone’s keychain fails with {0}. Make a new link on the server, and paste it in the app.",
      "\(status)")
  }
  static var trial: String { said("This is how an alarm rings") }
  static var trialBody: String { said("If you hear nothing, look at the volume and at Focus.") }
  static var asleep: String { said("Your alarms are no longer watched") }
  static var asleepBody: String { said("The phone has not let the app run. Open it, and it watches again.") }
  static var watchFails: String { said("An alarm may come late") }
  static var notWatching: String { said("Your alarms are not watched") }
  static var filesDamaged: String {
    said("What the app had kept cannot be read. Open it and look at your zones.")
  }
  static var unlock: String { said("Unlock the phone once: after a restart nothing can be read before.") }
  static func filesFail(_ reason: String) -> String {
    said("What happens cannot be kept on the phone: {0}", reason)
  }

  static func body(of cause: Cause, distance: Distance) -> String {
    let away = "\(Int(max(0, distance.metres).rounded()))"
    return switch cause {
    case .inside: said("You are there.")
    case .near: said("You are near, {0} m away.", away)
    case .passed: said("You passed through.")
    case .dwell: said("You have been here for a while.")
    case .left: said("You have left.")
    case .possible: said("You may be inside, {0} m away.", away)
    }
  }

  static func lostSignal(_ distance: Distance) -> String {
    said("No position comes, and the zone was only {0} m away.", "\(Int(max(0, distance.metres).rounded()))")
  }

  static func warning(_ warning: WatchWarning, name: (ZoneID) -> Text?) -> String {
    switch warning {
    case .cannotLocate(let zone):
      said(
        "No position comes. By now you may be inside {0}.",
        name(zone).map { "\($0)" } ?? said("a safety zone"))
    case .wifiIsOff: said("Wi-Fi is off. Alarms need more battery, and may come later.")
    }
  }

  static func title(of trouble: Trouble) -> String {
    switch trouble {
    case .locationRefused: said("Alarms cannot ring: location is not allowed")
    case .onlyWhileInUse: said("Alarms may be missed: location only while the app is used")
    case .approximateLocation: said("Alarms cannot be exact: Precise Location is off")
    case .notificationsOff: said("Alarms cannot be seen: notifications are off")
    case .notTimeSensitive: said("A Focus can hide alarms: Time Sensitive Notifications are off")
    case .alarmsRefused: said("Alarms are silenced by the ring switch: alarms are not allowed")
    case .lowPower: said("Low Power Mode: alarms may come later")
    case .noBackgroundRefresh: said("Background App Refresh is off: alarms may come later")
    }
  }

  static func body(of trouble: Trouble) -> String {
    switch trouble {
    case .locationRefused, .onlyWhileInUse: said("Settings, Proximity, Location: choose Always.")
    case .approximateLocation: said("Settings, Proximity, Location: switch Precise Location on.")
    case .notificationsOff, .notTimeSensitive: said("Settings, Proximity, Notifications: switch them on.")
    case .alarmsRefused: said("Settings, Proximity: allow alarms.")
    case .lowPower: said("Settings, Battery: switch Low Power Mode off while an alarm matters.")
    case .noBackgroundRefresh: said("Settings, General, Background App Refresh: switch it on.")
    }
  }
}
