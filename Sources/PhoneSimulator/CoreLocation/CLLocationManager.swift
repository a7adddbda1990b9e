import AlarmEngine
import Foundation

/// The fake of Core Location's manager, connected to ``Phone/current``; defaults as Apple documents them for
/// iOS.
///
/// Callbacks come from the phone's event loop. A manager made in an application's process is silent after
/// that process.
public class CLLocationManager: NSObject {
  public weak var delegate: (any CLLocationManagerDelegate)?

  public var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest { didSet { settingsChanged() } }
  public var distanceFilter: CLLocationDistance = kCLDistanceFilterNone { didSet { settingsChanged() } }
  public var activityType: CLActivityType = .other { didSet { settingsChanged() } }
  public var pausesLocationUpdatesAutomatically = true { didSet { settingsChanged() } }
  /// - Precondition: the application declares the background mode `location`; setting it without is fatal. D.
  public var allowsBackgroundLocationUpdates = false {
    didSet {
      precondition(
        !allowsBackgroundLocationUpdates || phone.declaresBackgroundLocation,
        "updates in the background need the background mode `location`")
      settingsChanged()
    }
  }
  public var showsBackgroundLocationIndicator = false
  public var headingFilter: CLLocationDegrees = 1
  public var headingOrientation: CLDeviceOrientation = .portrait
  public var heading: CLHeading? { nil }

  /// The last position the phone knew, however old.
  public var location: CLLocation? {
    guard phone.isAuthorized else { return nil }
    return phone.positioning.cached.map(CLLocation.init)
  }

  /// The phone outlives the manager, which belongs to an application on it.
  private unowned let phone: Phone
  private weak var process: AppProcess?
  /// Nil until the first start.
  private var updates: UpdateStream?
  private var request: UpdateStream?
  private(set) var wantsSignificantChanges = false

  /// - Precondition: an application is running on the current phone.
  public override init() {
    guard let phone = Phone.current, let process = phone.process else {
      preconditionFailure("a location manager is made by an application that runs on a phone")
    }
    precondition(phone.iOSVersion != nil, "\(phone.system) has no location manager")
    self.phone = phone
    self.process = process
    super.init()
    process.add(self)
    phone.clock.plan(after: .zero) { [weak self] in
      if let self, self.process?.isExecuting ?? false { tellAuthorization() }
    }
  }

  deinit {
    if let updates { process?.stop(updates) }
    if let request { process?.stop(request) }
  }

  private func settingsChanged() {
    guard let updates else { return }
    updates.accuracy = desiredAccuracy
    updates.filter = distanceFilter
    updates.allowsBackground = allowsBackgroundLocationUpdates
    if updates.activity != activityType {
      updates.activity = activityType
      phone.positioning.pausingChanged(updates)
    }
    if updates.pausesWhenStill != pausesLocationUpdatesAutomatically {
      updates.pausesWhenStill = pausesLocationUpdatesAutomatically
      phone.positioning.pausingChanged(updates)
    }
    if updates.isRunning { phone.positioning.settingsChanged(updates) }
  }

  private func makeUpdates() -> UpdateStream {
    let updates = UpdateStream(
      .continuous, accuracy: desiredAccuracy,
      receive: { [weak self] in self?.tell($0) },
      fail: { [weak self] in self?.tell(CLError(.locationUnknown)) },
      paused: { [weak self] in
        guard let self else { return }
        delegate?.locationManagerDidPauseLocationUpdates(self)
      })
    updates.receiveTogether = { [weak self] fixes in
      guard let self else { return }
      delegate?.locationManager(self, didUpdateLocations: fixes.map(CLLocation.init))
    }
    updates.deferralEnded = { [weak self] code in
      guard let self else { return }
      delegate?.locationManager(self, didFinishDeferredUpdatesWithError: code.map { CLError($0) })
    }
    return updates
  }

  // MARK: Permission

  public var authorizationStatus: CLAuthorizationStatus {
    phone.permission.servicesEnabled ? phone.permission.status : .denied
  }
  public var accuracyAuthorization: CLAccuracyAuthorization {
    phone.isReduced ? .reducedAccuracy : .fullAccuracy
  }
  public var isAuthorizedForWidgetUpdates: Bool { false }

  public func requestWhenInUseAuthorization() { phone.requestAuthorization(always: false) }
  public func requestAlwaysAuthorization() { phone.requestAuthorization(always: true) }

  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    phone.requestTemporaryAccuracy { [weak self] granted in
      guard self?.process?.isExecuting ?? false else { return }
      completion?(granted ? nil : CLError(.promptDeclined))
    }
  }

  // MARK: Positions

  public func startUpdatingLocation() {
    guard let process, !refuses() else { return }
    let updates = updates ?? makeUpdates()
    self.updates = updates
    settingsChanged()
    process.start(updates)
    phone.record(.sessionStarted(accuracy: desiredAccuracy, filter: distanceFilter))
  }

  public func stopUpdatingLocation() {
    if let request { process?.stop(request) }
    request = nil
    guard let updates, updates.isRunning else { return }
    process?.stop(updates)
    phone.record(.sessionStopped)
  }

  /// One position, or one error; a second request while one is pending is the same request.
  public func requestLocation() {
    guard let process, request?.isRunning != true, !refuses() else { return }
    let single = UpdateStream(
      .single, accuracy: desiredAccuracy,
      receive: { [weak self] fix in
        self?.request = nil
        self?.tell(fix)
      },
      fail: { [weak self] in
        self?.request = nil
        self?.tell(CLError(.locationUnknown))
      })
    single.timeout = phone.parameters.oneShotTimeoutSeconds
    request = single
    process.start(single)
  }

  private func refuses() -> Bool {
    guard !phone.isAuthorized, phone.permission.status != .notDetermined else {
      return phone.permission.status == .notDetermined
    }
    later { $0.tell(CLError(.denied)) }
    return true
  }

  // MARK: Significant changes and visits

  public func startMonitoringSignificantLocationChanges() {
    guard let process, !refuses() else { return }
    wantsSignificantChanges = true
    phone.significantChanges.start(for: process)
  }

  /// Stops the service for the whole application. R [TS-197].
  public func stopMonitoringSignificantLocationChanges() {
    guard let process else { return }
    process.eachManager { $0.wantsSignificantChanges = false }
    phone.significantChanges.stop()
  }

  public func startMonitoringVisits() {
    guard process != nil, !refuses() else { return }
    phone.visits.start()
  }
  public func stopMonitoringVisits() { if process != nil { phone.visits.stop() } }

  // MARK: Regions

  public var maximumRegionMonitoringDistance: CLLocationDistance {
    phone.parameters.maximumRegionRadiusMetres
  }
  /// The order of a set differs from run to run; sort by identifier where the order can be seen.
  public var monitoredRegions: Set<CLRegion> { Set(phone.regions.managerRegions) }

  public func startMonitoring(for region: CLRegion) {
    guard process != nil else { return }
    if let refusal = phone.regions.refusal(of: region) {
      phone.record(.regionRefused(region.identifier))
      later { $0.delegate?.locationManager($0, monitoringDidFailFor: region, withError: refusal) }
      return
    }
    later { $0.delegate?.locationManager($0, didStartMonitoringFor: region.copied()) }
    phone.regions.add(region, key: region.identifier)
    if let delay = phone.regions.delay(of: region) {
      later { $0.delegate?.locationManager($0, monitoringDidFailFor: region.copied(), withError: delay) }
    }
  }

  public func stopMonitoring(for region: CLRegion) {
    if process != nil { phone.regions.remove(key: region.identifier) }
  }

  public func requestState(for region: CLRegion) {
    phone.clock.plan(after: .seconds(phone.parameters.regionStateDelaySeconds)) { [weak self] in
      guard let self else { return }
      tell(region.copied(), state: phone.regions.state(of: region.identifier))
    }
  }

  // MARK: Class functions

  public class func locationServicesEnabled() -> Bool { Phone.current?.permission.servicesEnabled ?? true }
  public class func authorizationStatus() -> CLAuthorizationStatus {
    Phone.current?.permission.status ?? .notDetermined
  }
  public class func significantLocationChangeMonitoringAvailable() -> Bool { true }
  public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass == CLCircularRegion.self && (Phone.current?.parameters.maximumRegionRadiusMetres ?? 0) >= 0
  }
  public class func headingAvailable() -> Bool { false }
  public class func isRangingAvailable() -> Bool { false }
  /// iOS 6 to 12. D.
  public class func deferredLocationUpdatesAvailable() -> Bool {
    Phone.current?.iOSVersion?.defersUpdates ?? false
  }

  // MARK: Deferred updates

  /// Collects fixes in the background and delivers them together after the given distance or time. From iOS
  /// 13 on the call is accepted and has no effect. D.
  public func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval)
  {
    guard phone.iOSVersion?.defersUpdates ?? false else { return }
    guard let updates, updates.isRunning else { return refuseToDefer(.deferredNotUpdatingLocation) }
    guard desiredAccuracy <= kCLLocationAccuracyBest else { return refuseToDefer(.deferredAccuracyTooLow) }
    guard distanceFilter == kCLDistanceFilterNone else { return refuseToDefer(.deferredDistanceFiltered) }
    phone.positioning.defer(updates, metres: distance, seconds: timeout)
  }

  public func disallowDeferredLocationUpdates() {
    if let updates { phone.positioning.endDeferral(updates, .deferredCanceled) }
  }

  private func refuseToDefer(_ code: CLError.Code) {
    later { $0.delegate?.locationManager($0, didFinishDeferredUpdatesWithError: CLError(code)) }
  }

  // MARK: Without effect

  public func startUpdatingHeading() {}
  public func stopUpdatingHeading() {}
  public func dismissHeadingCalibrationDisplay() {}

  // MARK: From the phone

  private func later(_ tell: @escaping (CLLocationManager) -> Void) {
    phone.clock.plan(after: .zero) { [weak self] in
      guard let self, process?.isExecuting ?? false else { return }
      tell(self)
    }
  }

  func tell(_ fix: PhoneFix) { delegate?.locationManager(self, didUpdateLocations: [CLLocation(fix)]) }
  func tell(_ error: CLError) { delegate?.locationManager(self, didFailWithError: error) }
  func tell(_ visit: CLVisit) { delegate?.locationManager(self, didVisit: visit) }
  func tell(_ region: CLRegion, entering: Bool) {
    if entering {
      delegate?.locationManager(self, didEnterRegion: region)
    } else {
      delegate?.locationManager(self, didExitRegion: region)
    }
  }
  func tell(_ region: CLRegion, state: CLRegionState) {
    guard process?.isExecuting ?? false else { return }
    delegate?.locationManager(self, didDetermineState: state, for: region)
  }
  func tellAuthorization() {
    if phone.iOSVersion?.tellsAuthorizationAtCreation ?? false {
      delegate?.locationManagerDidChangeAuthorization(self)
    } else {
      delegate?.locationManager(self, didChangeAuthorization: phone.permission.status)
    }
  }
}
