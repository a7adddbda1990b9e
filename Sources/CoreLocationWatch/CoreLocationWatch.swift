import AlarmEngine
import Foundation
import Geometry
import PhoneHost

#if canImport(CoreLocation)
  import CoreLocation
#else
  import PhoneSimulator
#endif

/// Connects a host to a `CLLocationManager`: passes the manager's events to the host, and the host's commands
/// to the manager.
///
/// Create it at every launch, including one for a location event, with the host that the last process left.
/// All calls come on the thread that created it.
public final class LocationWatch: NSObject, CLLocationManagerDelegate {
  public private(set) var host: PhoneHost<AnyWatch>
  public var timeline: Timeline { host.timeline }
  /// Called with new events of the timeline: rings, clearings, notices. Show and sound them before it
  /// returns; they are not repeated afterwards.
  public var onEvents: ([Event]) -> Void = { _ in }
  /// Called with all ringing alarms: at every start, and after each change.
  public var onRinging: ([Ringing]) -> Void = { _ in }
  /// Called with a warning that the person must get at once although nothing rings.
  public var onWarning: (WatchWarning) -> Void = { _ in }

  private let services: PhoneServices
  private let kind: Capabilities.Host
  /// The manager for sessions, fences, significant changes and visits.
  private let manager = CLLocationManager()
  /// The manager for single fixes, whose accuracy can differ from the session's.
  private let single = CLLocationManager()
  /// Wake the application when the phone moves, while it rests near a zone.
  private var live: LiveUpdates?
  private var hasSession = false
  private var singleAnswers = false
  private var cancelWake: () -> Void = {}
  private let orders = OrderQueue()

  /// - Parameter kind: `.suspended` for an ordinary application; `.timed` for one that always keeps a
  ///   session.
  public init(
    host: PhoneHost<AnyWatch>, services: PhoneServices, as kind: Capabilities.Host = .suspended
  ) {
    self.host = host
    self.services = services
    self.kind = kind
    super.init()
    live = LiveUpdates(after: services.after) { [weak self] in self?.tell(.liveUpdates(areResting: $0)) }
    manager.delegate = self
    single.delegate = self
    for manager in [manager, single] {
      manager.allowsBackgroundLocationUpdates = true
      manager.pausesLocationUpdatesAutomatically = false
    }
  }

  public func start(_ start: WatchEvent.Start) {
    tell(.started(start, readCapabilities(), lastKnown: manager.location.flatMap(fix)))
  }

  public func stop() { tell(.stopped) }

  /// Performs a person's command: closes an alarm, arms or disarms.
  public func perform(_ command: Command) { tell(.command(command)) }
  /// Replaces the zones and settings.
  public func watch(_ zones: [Zone], _ settings: Settings) { tell(.zones(zones, settings)) }
  /// Keeps the edition of the page's data, from which the page sees whether its own storage is older than the watch.
  public func edition(_ edition: UInt64) { tell(.edition(edition)) }

  public func cameToForeground() { tell(.cameToForeground) }
  public func wentToBackground() { tell(.wentToBackground) }
  public func willTerminate() { tell(.willTerminate) }
  /// Call this when Wi-Fi, the battery or a permission may have changed.
  public func conditionsChanged() { tell(.capabilities(readCapabilities())) }

  /// Tells the host if positions are to be reported to a server. Call this before ``start(_:)``, and again
  /// when that or the server changes.
  public func reporting(_ wanted: Bool) { tell(.reporting(wanted)) }
  /// Tells the host the outcome of a transfer that the system finished in the background, which no
  /// ``PhoneServices/Reports/send`` awaits.
  public func reported(_ outcome: ReportOutcome) { tell(.reported(outcome)) }
  /// Tells the host that `PhoneServices.keep` could not write. The whole state is written with the next input.
  public func notKept() { tell(.notKept) }
  /// Tells the host that the phone's clock was set by this much; `services.now` must give the new time
  /// already. Needed only without `PhoneServices.uptime`.
  public func clockJumped(by span: TimeSpan) { tell(.clockJumped(by: span)) }

  private func tell(_ input: PhoneInput) {
    let time = PhoneTime(now: services.now(), uptime: services.uptime?())
    orders.add(host.handle(input, at: time), carryOut: carryOut)
    if input == .notKept { return }
    guard host.wantsBattery(at: time.now), let level = services.batteryLevel() else { return }
    orders.add(host.handle(.battery(level), at: time), carryOut: carryOut)
  }

  private func carryOut(_ command: PhoneCommand) {
    switch command {
    case .append, .replace: services.keep(command)
    case .session(let wanted): open(wanted)
    case .endSession:
      live?.stop()
      endSession()
    case .startRequest(let accuracy, let once, _): ask(accuracy, once: once)
    case .endRequest: single.stopUpdatingLocation()
    case .fences(let fences): lay(fences)
    case .requestState(let id):
      if let region = ownRegions.first(where: { Self.fenceID($0) == id }) {
        manager.requestState(for: region)
      }
    case .significantChanges(true): manager.startMonitoringSignificantLocationChanges()
    case .significantChanges(false): manager.stopMonitoringSignificantLocationChanges()
    case .visits(true): manager.startMonitoringVisits()
    case .visits(false): manager.stopMonitoringVisits()
    case .motion(true): services.watchMotion { [weak self] in self?.tell(.motion($0, since: $1)) }
    case .motion(false): services.watchMotion(nil)
    case .wake(let time):
      cancelWake()
      cancelWake = {}
      guard let time else { return }
      cancelWake = services.after(max(time - services.now(), .zero)) { [weak self] in self?.tell(.woke) }
    case .holdBackground: services.holdBackground()
    case .releaseBackground: services.releaseBackground()
    case .warn(let warning): onWarning(warning)
    case .warnIfSilent(let time): services.warnIfSilent(time)
    case .report(let lines): services.reports?.keep(lines)
    case .sendReports:
      services.reports?.send { [weak self] outcome in self?.tell(.reported(outcome)) }
    case .tell(let told):
      onEvents(told.map { $0.event })
      if let last = told.last { tell(.told(last.number)) }
    case .ringing(let alarms): onRinging(alarms)
    }
  }

  private func readCapabilities() -> Capabilities {
    var capabilities = Capabilities(
      host: kind, fences: CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) ? 20 : 0,
      // Negative where there is no region monitoring.
      largestFence: .metres(max(0, manager.maximumRegionMonitoringDistance)), backgroundTime: .seconds(10))
    let status = manager.authorizationStatus
    capabilities.authorized = status == .authorizedAlways || status == .authorizedWhenInUse
    capabilities.background = status == .authorizedAlways
    capabilities.preciseLocation = manager.accuracyAuthorization == .fullAccuracy
    capabilities.significantChanges = CLLocationManager.significantLocationChangeMonitoringAvailable()
    capabilities.motion = services.hasMotion
    capabilities.liveUpdates = LiveUpdates.areAvailable
    capabilities.wifi = services.hasWifi()
    capabilities.battery = services.battery()
    return capabilities
  }

  // MARK: Sessions and single fixes

  private func open(_ wanted: Session) {
    guard !wanted.wakesOnMotion else {
      live?.start()
      return endSession()
    }
    live?.stop()
    manager.desiredAccuracy = Self.accuracy(wanted.accuracy)
    manager.distanceFilter = wanted.distanceFilter?.metres ?? kCLDistanceFilterNone
    manager.pausesLocationUpdatesAutomatically = wanted.mayPause
    if !hasSession { manager.startUpdatingLocation() }
    hasSession = true
  }

  private func endSession() {
    hasSession = false
    manager.stopUpdatingLocation()
  }

  private func ask(_ accuracy: DesiredAccuracy, once: Bool) {
    single.desiredAccuracy = Self.accuracy(accuracy)
    singleAnswers = once
    if once {
      single.requestLocation()
    } else {
      single.startUpdatingLocation()
    }
  }

  // MARK: Fences

  private static let prefix = "proximity."

  private static func fenceID(_ region: CLRegion) -> FenceID? {
    guard region.identifier.hasPrefix(prefix) else { return nil }
    return UInt64(region.identifier.dropFirst(prefix.count), radix: 16).map(FenceID.init(rawValue:))
  }

  /// Regions outlive the process. Those of other parts of the application are left alone.
  private var ownRegions: [CLCircularRegion] {
    manager.monitoredRegions.compactMap { $0 as? CLCircularRegion }.filter { Self.fenceID($0) != nil }
      .sorted { $0.identifier < $1.identifier }
  }

  /// True if the system watches fences of this application.
  public var hasFences: Bool { !ownRegions.isEmpty }

  private func lay(_ fences: [Fence]) {
    let wanted = fences.map(region)
    let standing = ownRegions
    for old in standing where !wanted.contains(where: { Self.isSame($0, old) }) {
      // A region with the same identifier is replaced, so that there is no moment without it.
      if !wanted.contains(where: { $0.identifier == old.identifier }) { manager.stopMonitoring(for: old) }
    }
    for new in wanted where !standing.contains(where: { Self.isSame($0, new) }) {
      manager.startMonitoring(for: new)
    }
  }

  private func region(_ fence: Fence) -> CLCircularRegion {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(
        latitude: fence.center.latitude.degrees, longitude: fence.center.longitude.degrees),
      radius: min(fence.radius.metres, manager.maximumRegionMonitoringDistance),
      identifier: Self.prefix + String(fence.id.rawValue, radix: 16))
    region.notifyOnEntry = fence.onEntry
    region.notifyOnExit = fence.onExit
    return region
  }

  private static func isSame(_ a: CLCircularRegion, _ b: CLCircularRegion) -> Bool {
    a.identifier == b.identifier && a.radius == b.radius && a.center.latitude == b.center.latitude
      && a.center.longitude == b.center.longitude && a.notifyOnEntry == b.notifyOnEntry
      && a.notifyOnExit == b.notifyOnExit
  }

  // MARK: CLLocationManagerDelegate

  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    tell(.positions(locations.compactMap(fix), ofRequest: manager === single))
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // Continuous positions continue by themselves. A refusal is reported as a change of authorization.
    if manager === single, singleAnswers { tell(.requestFailed) }
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    if let id = Self.fenceID(region) { tell(.fenceEntered(id)) }
  }
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    if let id = Self.fenceID(region) { tell(.fenceExited(id)) }
  }
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    guard let id = Self.fenceID(region) else { return }
    tell(.fenceState(id, inside: state == .unknown ? nil : state == .inside))
  }
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    switch (error as? CLError)?.code {
    // The region is monitored, with a delay.
    case .regionMonitoringSetupDelayed?, .regionMonitoringResponseDelayed?: break
    default: if let id = region.flatMap(Self.fenceID) { tell(.fenceFailed(id)) }
    }
  }

  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    guard let place = Self.place(visit.coordinate) else { return }
    tell(visit.departureDate == .distantFuture ? .visitArrived(place) : .visitDeparted(place))
  }

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { conditionsChanged() }
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    conditionsChanged()
  }
}

// MARK: Values

extension LocationWatch {
  private static func accuracy(_ wanted: DesiredAccuracy) -> CLLocationAccuracy {
    switch wanted {
    case .bestForNavigation: kCLLocationAccuracyBestForNavigation
    case .best: kCLLocationAccuracyBest
    case .tenMetres: kCLLocationAccuracyNearestTenMeters
    case .hundredMetres: kCLLocationAccuracyHundredMeters
    case .kilometre: kCLLocationAccuracyKilometer
    case .threeKilometres: kCLLocationAccuracyThreeKilometers
    }
  }

  private static func place(_ coordinate: CLLocationCoordinate2D) -> Coordinate? {
    try? Coordinate(latitudeDegrees: coordinate.latitude, longitudeDegrees: coordinate.longitude)
  }

  /// Returns nil if the position is no place on earth.
  private func fix(_ location: CLLocation) -> Fix? {
    guard let position = Self.place(location.coordinate), location.horizontalAccuracy.isFinite else {
      return nil
    }
    let seconds = min(max(location.timestamp.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    return Fix(
      position: position, accuracy: .radius(.metres(location.horizontalAccuracy)),
      measuredAt: Instant(millisecondsSince1970: Int64((seconds * 1000).rounded())),
      receivedAt: services.now(),
      speed: location.speed >= 0 && location.speed.isFinite ? .metresPerSecond(location.speed) : nil,
      course: location.course >= 0 && location.course.isFinite ? .degrees(location.course) : nil,
      // Above sea level, and valid only if the error is more than zero.
      altitude: location.verticalAccuracy > 0
        ? Altitude(metres: location.altitude, error: location.verticalAccuracy, reference: .seaLevel) : nil)
  }
}
