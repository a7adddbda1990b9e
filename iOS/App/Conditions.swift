import AlarmEngine
import Foundation
import PhoneHost

#if canImport(UIKit)
  import CoreLocation
  import UIKit
#else
  import AppleFakes
  import PhoneSimulator
#endif

/// The conditions that keep armed alarms from ringing, or from ringing in time.
enum Trouble: String, CaseIterable, Sendable {
  case locationRefused, onlyWhileInUse, approximateLocation
  case notificationsOff, notTimeSensitive, alarmsRefused
  case lowPower, noBackgroundRefresh
}

/// The permissions that a person can be asked for.
enum PermissionAsk: String, CaseIterable {
  case location, background, notifications, alarms

  /// The trouble that a missing permission causes; nil for `.background`.
  var trouble: Trouble? {
    switch self {
    case .location: .locationRefused
    case .notifications: .notificationsOff
    case .alarms: .alarmsRefused
    case .background: nil
    }
  }
}

/// The present permissions and settings, checked after every change and at every wake. Each trouble is shown
/// at once, and only once unless the process ends meanwhile.
@MainActor
final class Conditions: NSObject {
  private(set) var troubles: Set<Trouble> = []
  /// Permissions that the person was not asked for yet. They count as trouble only after the page, which asks
  /// for them, has left the front.
  private(set) var undecided: Set<PermissionAsk> = []
  var isInFront = false
  var onChange: () -> Void = {}
  /// Called after each check.
  var onLooked: () -> Void = {}
  /// Called when a trouble that was told is over, while alarms are armed.
  var onTakenBack: () -> Void = {}
  /// True if nothing is refused and nothing has to be asked any more.
  var hasAll: Bool { troubles.isEmpty && undecided.isEmpty }
  /// True if alarms are armed. If not, troubles are not shown.
  var isWatching: () -> Bool = { false }

  private let notices: Notices
  private let alarms: SystemRinging
  private let files: EngineFiles
  private let manager = CLLocationManager()
  nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []
  /// Keeps an app that may use location only while in use running in the background, with the system's
  /// indicator.
  private var activity: CLBackgroundActivitySession?
  private static let told = "told"

  init(notices: Notices, alarms: SystemRinging, files: EngineFiles) {
    self.notices = notices
    self.alarms = alarms
    self.files = files
    super.init()
  }

  func begin() {
    manager.delegate = self
    UIDevice.current.isBatteryMonitoringEnabled = true
    let names: [Notification.Name] = [
      .NSProcessInfoPowerStateDidChange, UIApplication.backgroundRefreshStatusDidChangeNotification,
      UIDevice.batteryLevelDidChangeNotification,
    ]
    for name in names {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
          Platform.onMain { [weak self] in self?.look() }
        })
    }
    look()
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  func look() {
    notices.look { [weak self] in self?.compare($0) }
  }

  private func compare(_ standing: Notices.Standing) {
    var found = Set<Trouble>()
    var open = Set<PermissionAsk>()
    switch manager.authorizationStatus {
    case .authorizedAlways: break
    case .authorizedWhenInUse: found.insert(.onlyWhileInUse)
    case .notDetermined: open.insert(.location)
    default: found.insert(.locationRefused)
    }
    if manager.accuracyAuthorization == .reducedAccuracy { found.insert(.approximateLocation) }
    if standing.isUndecided {
      open.insert(.notifications)
    } else if !standing.isAllowed {
      found.insert(.notificationsOff)
    } else if !standing.isTimeSensitive {
      found.insert(.notTimeSensitive)
    }
    if alarms.isUndecided { open.insert(.alarms) }
    if alarms.isRefused { found.insert(.alarmsRefused) }
    if ProcessInfo.processInfo.isLowPowerModeEnabled { found.insert(.lowPower) }
    if UIApplication.shared.backgroundRefreshStatus != .available { found.insert(.noBackgroundRefresh) }
    if !isInFront { found.formUnion(open.compactMap(\.trouble)) }
    holdActivity(found)
    let hasChanged = found != troubles || open != undecided
    (troubles, undecided) = (found, open)
    tell()
    if hasChanged { onChange() }
    onLooked()
  }

  private func tell() {
    var known = files.noted(as: Self.told)
    let wanted = isWatching() ? troubles : []
    for trouble in Trouble.allCases where known.contains(trouble.rawValue) != wanted.contains(trouble) {
      let isNew = known.insert(trouble.rawValue).inserted
      if isNew {
        tell(trouble)
      } else {
        known.remove(trouble.rawValue)
        notices.withdraw(.trouble(trouble))
      }
      // Noted last: if the process ends before, the trouble is shown again, in place of its first notice.
      files.note(known, as: Self.told)
      if !isNew, isWatching() { onTakenBack() }
    }
  }

  private func tell(_ trouble: Trouble) {
    if trouble == .notificationsOff { return alarms.tell(Words.title(of: trouble)) }
    notices.post(.trouble(trouble))
  }

  private func holdActivity(_ found: Set<Trouble>) {
    guard found.contains(.onlyWhileInUse), isWatching() else {
      activity?.invalidate()
      activity = nil
      return
    }
    if activity == nil { activity = CLBackgroundActivitySession() }
  }

  /// The battery level, by which the policy may accept later alarms.
  var battery: Capabilities.Battery {
    let level = UIDevice.current.batteryLevel
    if level >= 0, level <= 0.1 { return .veryLow }
    return ProcessInfo.processInfo.isLowPowerModeEnabled || (level >= 0 && level <= 0.2) ? .low : .full
  }

  /// The charge for the journal; nil where the phone does not state it.
  var batteryLevel: BatteryLevel? {
    let device = UIDevice.current
    let isCharging = device.batteryState == .charging || device.batteryState == .full
    return BatteryLevel(share: Double(device.batteryLevel), isCharging: isCharging)
  }

  // MARK: Asking

  func ask(_ what: PermissionAsk) {
    switch what {
    case .location: manager.requestWhenInUseAuthorization()
    case .background: manager.requestAlwaysAuthorization()
    case .notifications: notices.ask { [weak self] in self?.look() }
    case .alarms: alarms.ask { [weak self] in self?.look() }
    }
  }

  func openSettings() {
    guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
    UIApplication.shared.open(url, options: [:], completionHandler: nil)
  }
}

/// The manager was made on the main thread, so it calls there.
extension Conditions: @preconcurrency CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { look() }
}
