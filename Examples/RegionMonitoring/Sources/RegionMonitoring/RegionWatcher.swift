import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import PhoneSimulator
#endif

/// Asks the phone to monitor fences, and passes on its events: ordinary location code, the same on an iPhone
/// and on the simulated phone.
///
/// Create one at every launch, also when the system launches the application for a crossing.
final class RegionWatcher: NSObject, CLLocationManagerDelegate {
  /// A reason why no fence can be watched.
  enum Problem: Equatable {
    case unavailable
    /// Regions wake an application only with the permission "Always".
    case needsAlways
    /// Approximate positions are too coarse for regions.
    case needsPrecise
  }
  struct Event: Equatable {
    enum Kind: Equatable {
      case watched, entered, exited
      /// The phone refused the fence: too many, too large, or not allowed.
      case refused
    }
    let kind: Kind
    let fence: String
    let date: Date
  }

  var onEvent: (Event) -> Void = { _ in }
  private let manager = CLLocationManager()
  private let now: () -> Date

  init(now: @escaping () -> Date) {
    self.now = now
    super.init()
    manager.delegate = self
  }

  /// Watches these fences and no others.
  /// - Returns: nil, or the reason why no fence can be watched.
  func watch(_ fences: [Fence]) -> Problem? {
    guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return .unavailable }
    guard manager.authorizationStatus == .authorizedAlways else { return .needsAlways }
    guard manager.accuracyAuthorization == .fullAccuracy else { return .needsPrecise }
    for region in manager.monitoredRegions { manager.stopMonitoring(for: region) }
    for fence in fences {
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: fence.latitude, longitude: fence.longitude),
        radius: min(fence.radius, manager.maximumRegionMonitoringDistance), identifier: fence.id)
      region.notifyOnEntry = true
      region.notifyOnExit = true
      manager.startMonitoring(for: region)
    }
    return nil
  }

  private func tell(_ kind: Event.Kind, _ region: CLRegion?) {
    if let region { onEvent(Event(kind: kind, fence: region.identifier, date: now())) }
  }

  // MARK: CLLocationManagerDelegate

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    tell(.watched, region)
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    tell(.entered, region)
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { tell(.exited, region) }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    switch (error as? CLError)?.code {
    // The region is monitored, with a delay.
    case .regionMonitoringSetupDelayed?, .regionMonitoringResponseDelayed?: break
    default: tell(.refused, region)
    }
  }
}
