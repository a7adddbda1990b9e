import AlarmEngine
import Foundation
import PhoneSimulator

/// The tracker of the MobilityNet experiments (e-mission on iOS). It waits behind a fence of 100 m with
/// significant changes and visits on; an exit starts a session; ten minutes within 100 m end it and set the
/// fence anew.
final class DutyCycledTracker: NSObject, PhoneApplication, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  private let environment: ApplicationEnvironment
  private var anchor: (location: CLLocation, since: Instant)?
  private var isTracking = false

  init(_ launch: Launch, accuracy: CLLocationAccuracy, filter: CLLocationDistance) {
    environment = launch.environment
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = accuracy
    manager.distanceFilter = filter
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    manager.startMonitoringSignificantLocationChanges()
    manager.startMonitoringVisits()
    track()
  }

  private func track() {
    guard !isTracking else { return }
    isTracking = true
    anchor = nil
    manager.startUpdatingLocation()
    check()
  }

  private func check() {
    environment.after(.seconds(60)) { [weak self] in
      guard let self, isTracking else { return }
      if let anchor, environment.now - anchor.since >= .minutes(10) {
        wait(around: manager.location ?? anchor.location)
      } else {
        check()
      }
    }
  }

  private func wait(around location: CLLocation) {
    isTracking = false
    manager.stopUpdatingLocation()
    manager.startMonitoring(
      for: CLCircularRegion(center: location.coordinate, radius: 100, identifier: "trip"))
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations where isTracking && location.horizontalAccuracy <= 200 {
      if let anchor, anchor.location.distance(from: location) <= 100 { continue }
      anchor = (location, environment.now)
    }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { track() }

  /// A fence around an old position may not contain the phone, and would then never report an exit.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { if state == .outside { track() } }
}
