import AlarmEngine
import Foundation
import Geometry

#if canImport(CoreLocation)
  import CoreLocation
#else
  import PhoneSimulator
#endif

/// What the watch needs of a phone besides location. An application wires it to timers, Core Motion and background
/// tasks; on the simulator it is the application's environment.
public struct PhoneServices {
  public var now: () -> Instant
  /// A clock that nobody sets, from any moment on, and that goes on while the phone sleeps (`ContinuousClock`): where `now`
  /// moves otherwise, it was set. Nil where there is none; then the application says so (`LocationWatch/clockJumped(by:)`).
  public var uptime: (() -> TimeSpan)?
  /// Runs the action after the span, as long as the process runs; the closure that comes back cancels it.
  public var after: (TimeSpan, @escaping () -> Void) -> () -> Void
  /// Tells of every change of motion; nil stops. The phone has no motion hardware where this is nil.
  public var watchMotion: (((Motion) -> Void)?) -> Void
  public var hasMotion: Bool
  public var holdBackground: () -> Void
  public var releaseBackground: () -> Void
  /// Plans a local notification that says that the alarm clock sleeps, in place of the former one; nil takes it
  /// back.
  public var warnIfSilent: (Instant?) -> Void
  /// Whether Wi-Fi is on, as far as the application can know.
  public var hasWifi: () -> Bool
  public var battery: () -> Capabilities.Battery

  public init(
    now: @escaping () -> Instant, uptime: (() -> TimeSpan)? = nil,
    after: @escaping (TimeSpan, @escaping () -> Void) -> () -> Void,
    hasMotion: Bool = false, watchMotion: @escaping (((Motion) -> Void)?) -> Void = { _ in },
    holdBackground: @escaping () -> Void = {}, releaseBackground: @escaping () -> Void = {},
    warnIfSilent: @escaping (Instant?) -> Void = { _ in }, hasWifi: @escaping () -> Bool = { true },
    battery: @escaping () -> Capabilities.Battery = { .full }
  ) {
    self.now = now
    self.uptime = uptime
    self.after = after
    self.hasMotion = hasMotion
    self.watchMotion = watchMotion
    self.holdBackground = holdBackground
    self.releaseBackground = releaseBackground
    self.warnIfSilent = warnIfSilent
    self.hasWifi = hasWifi
    self.battery = battery
  }
}

/// The engine on an iPhone: what a `CLLocationManager` tells goes to the timeline and the watch policy, and what the
/// policy wants is asked of the manager.
///
/// Made at every launch, also at one for a location event; the timeline is the application's to keep between
/// launches. All calls come on the thread that made it.
public final class LocationWatch: NSObject, CLLocationManagerDelegate {
  public private(set) var timeline: Timeline
  public private(set) var policy: any WatchDecisions
  /// What happened on the timeline, when it became known: rings, clearings, notices.
  public var onEvents: ([Event]) -> Void = { _ in }
  /// What the person must be told at once although nothing rings.
  public var onWarning: (WatchWarning) -> Void = { _ in }

  private let services: PhoneServices
  private let host: Capabilities.Host
  /// For sessions, fences, significant changes and visits.
  private let manager = CLLocationManager()
  /// For single fixes, so that they can have an accuracy of their own beside a session.
  private let single = CLLocationManager()
  private var capabilities: Capabilities?
  private var session: Session?
  private var request: Request?
  private var cancelTimer: () -> Void = {}
  private var cancelDue: () -> Void = {}
  private var isStarted = false
  private var clocks: ClockComparison

  /// A single fix under way.
  private struct Request {
    let accuracy: DesiredAccuracy
    var since: Instant
    /// Ends by itself after one position or an error.
    let isOnce: Bool
    var best: Fix?
    let cancel: () -> Void
  }

  /// - Parameter host: `.suspended` as iOS is; `.timed` for an application that always keeps a session.
  public init(
    timeline: Timeline, policy: any WatchDecisions, services: PhoneServices,
    host: Capabilities.Host = .suspended
  ) {
    self.timeline = timeline
    self.policy = policy
    self.services = services
    self.host = host
    clocks = ClockComparison(now: services.now(), uptime: services.uptime?())
    super.init()
    manager.delegate = self
    single.delegate = self
    for manager in [manager, single] {
      manager.allowsBackgroundLocationUpdates = true
      manager.pausesLocationUpdatesAutomatically = false
    }
  }

  public func start(_ start: WatchEvent.Start) {
    let capabilities = readCapabilities()
    self.capabilities = capabilities
    isStarted = true
    if let span = timeline.jumpWhileAway(at: services.now()) { moveTimeline(by: span) }
    tell(.started(start, capabilities: capabilities, lastKnown: manager.location.flatMap(fix)))
  }

  public func stop() {
    tell(.stopped)
    isStarted = false
    cancelDue()
  }

  /// What a person does: closes an alarm, edits zones, arms or disarms.
  public func perform(_ command: Command) {
    noticeClock()
    insert([.command(command, at: services.now())])
    tell(.zonesChanged)
  }

  public func cameToForeground() { tell(.cameToForeground) }
  public func wentToBackground() { tell(.wentToBackground) }
  public func willTerminate() { tell(.willTerminate) }
  /// Wi-Fi, the battery or a permission may have changed.
  public func conditionsChanged() { rereadCapabilities() }

  /// The phone's clock was set by this much, and `services.now` says the new time. Only an application without an
  /// `uptime` has to say so.
  public func clockJumped(by span: TimeSpan) {
    moveTimeline(by: span)
    if let since = request?.since { request?.since = since + span }
    guard isStarted else { return }
    let now = services.now()
    carryOut(policy.handle(.clockJumped(by: span), at: now, zones: timeline.surroundings(at: now)))
  }

  private func moveTimeline(by span: TimeSpan) {
    let added = timeline.clockJumped(by: span, at: services.now()).added
    planDue()
    if !added.isEmpty { onEvents(added) }
  }

  // MARK: Timeline and policy

  private func noticeClock() {
    if let span = clocks.jump(now: services.now(), uptime: services.uptime?()) { clockJumped(by: span) }
  }

  private func insert(_ inputs: [Input]) {
    var added = timeline.insert(inputs).added
    added += timeline.advance(to: services.now()).added
    planDue()
    if !added.isEmpty { onEvents(added) }
  }

  /// Repeats, dwells, confirmations and schedules fall due without a fix.
  private func planDue() {
    cancelDue()
    guard let due = timeline.nextDue else { return }
    cancelDue = services.after(max(due - services.now(), .zero)) { [weak self] in
      guard let self else { return }
      noticeClock()
      let added = timeline.advance(to: services.now()).added
      planDue()
      guard !added.isEmpty else { return }
      onEvents(added)
      tell(.zonesChanged)
    }
  }

  private func tell(_ event: WatchEvent) {
    guard isStarted else { return }
    noticeClock()
    let now = services.now()
    carryOut(policy.handle(event, at: now, zones: timeline.surroundings(at: now)))
  }

  private func carryOut(_ commands: [WatchCommand]) { for command in commands { carryOut(command) } }

  private func carryOut(_ command: WatchCommand) {
    switch command {
    case .session(let wanted): open(wanted)
    case .endSession:
      session = nil
      manager.stopUpdatingLocation()
    case .requestFix(let accuracy, let span): ask(accuracy, within: span)
    case .fences(let fences): lay(fences)
    case .requestState(let id):
      if let region = ownRegions.first(where: { Self.fenceID($0) == id }) {
        manager.requestState(for: region)
      }
    case .significantChanges(true): manager.startMonitoringSignificantLocationChanges()
    case .significantChanges(false): manager.stopMonitoringSignificantLocationChanges()
    case .visits(true): manager.startMonitoringVisits()
    case .visits(false): manager.stopMonitoringVisits()
    case .motion(true): services.watchMotion { [weak self] in self?.tell(.motion($0)) }
    case .motion(false): services.watchMotion(nil)
    case .timer(let time):
      cancelTimer()
      cancelTimer = {}
      guard let time else { return }
      cancelTimer = services.after(max(time - services.now(), .zero)) { [weak self] in self?.tell(.timer) }
    case .holdBackground: services.holdBackground()
    case .releaseBackground: services.releaseBackground()
    case .warn(let warning): onWarning(warning)
    case .warnIfSilent(let time): services.warnIfSilent(time)
    }
  }

  private func readCapabilities() -> Capabilities {
    var capabilities = Capabilities(
      host: host, fences: CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) ? 20 : 0,
      // Negative where fences cannot be had.
      largestFence: .metres(max(0, manager.maximumRegionMonitoringDistance)), backgroundTime: .seconds(10))
    let status = manager.authorizationStatus
    capabilities.authorized = status == .authorizedAlways || status == .authorizedWhenInUse
    capabilities.background = status == .authorizedAlways
    capabilities.preciseLocation = manager.accuracyAuthorization == .fullAccuracy
    capabilities.significantChanges = CLLocationManager.significantLocationChangeMonitoringAvailable()
    capabilities.motion = services.hasMotion
    capabilities.wifi = services.hasWifi()
    capabilities.battery = services.battery()
    return capabilities
  }

  // MARK: Sessions and single fixes

  private func open(_ wanted: Session) {
    guard wanted != session else { return }
    manager.desiredAccuracy = Self.accuracy(wanted.accuracy)
    manager.distanceFilter = wanted.distanceFilter?.metres ?? kCLDistanceFilterNone
    manager.pausesLocationUpdatesAutomatically = wanted.mayPause
    if session == nil { manager.startUpdatingLocation() }
    session = wanted
  }

  /// A short session of its own, except where another one keeps the application awake and the network suffices:
  /// `requestLocation()` then answers at once, whereas a session by the network falls silent for minutes. For
  /// satellites it gives up too early.
  private func ask(_ accuracy: DesiredAccuracy, within span: TimeSpan) {
    if request != nil { _ = endRequest() }
    let cancel = services.after(span) { [weak self] in self?.giveUp() }
    let isOnce = session != nil && Self.goodEnough(accuracy) >= 100
    request = Request(accuracy: accuracy, since: services.now(), isOnce: isOnce, best: nil, cancel: cancel)
    single.desiredAccuracy = Self.accuracy(accuracy)
    if isOnce {
      single.requestLocation()
    } else {
      single.startUpdatingLocation()
    }
  }

  private func giveUp() {
    guard let best = endRequest() else { return tell(.fixFailed) }
    tell(.fix(best))
  }

  private func endRequest() -> Fix? {
    request?.cancel()
    let best = request?.best
    request = nil
    single.stopUpdatingLocation()
    return best
  }

  private func receive(_ received: [Fix], isAnswer: Bool) {
    // A session that only keeps the application awake: its positions were not asked for, and what is known is
    // finer. Those that another application's session makes good are welcome.
    let isKeptAwake = session?.accuracy == .threeKilometres && !isAnswer
    let fixes =
      isKeptAwake ? received.filter { Self.metres($0) <= Self.goodEnough(.hundredMetres) } : received
    insert(fixes.map { .fix($0) })
    for fix in fixes {
      if var pending = request {
        // A cached position is older than the question.
        guard fix.measuredAt >= pending.since - .seconds(1) else { continue }
        if pending.best.map({ Self.metres(fix) <= Self.metres($0) }) ?? true { pending.best = fix }
        request = pending
        if Self.metres(fix) <= Self.goodEnough(pending.accuracy) || (pending.isOnce && isAnswer) {
          _ = endRequest()
          tell(.fix(fix))
          continue
        }
        // The answer is yet to come.
        if session == nil || isAnswer { continue }
      }
      tell(.fix(fix))
    }
  }

  // MARK: Fences

  private static let prefix = "proximity."

  private static func fenceID(_ region: CLRegion) -> FenceID? {
    guard region.identifier.hasPrefix(prefix) else { return nil }
    return UInt64(region.identifier.dropFirst(prefix.count), radix: 16).map(FenceID.init(rawValue:))
  }

  /// Regions outlive the process; those of other parts of the application are left alone.
  private var ownRegions: [CLCircularRegion] {
    manager.monitoredRegions.compactMap { $0 as? CLCircularRegion }.filter { Self.fenceID($0) != nil }
      .sorted { $0.identifier < $1.identifier }
  }

  private func lay(_ fences: [Fence]) {
    let wanted = fences.map(region)
    let standing = ownRegions
    for old in standing where !wanted.contains(where: { Self.isSame($0, old) }) {
      // One of the same name is replaced, so that there is no moment without it.
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
    noticeClock()
    let fixes = locations.compactMap(fix)
    // The significant-change service reports on the same callback when nobody else asked.
    if manager === self.manager, session == nil, request == nil {
      insert(fixes.map { .fix($0) })
      for fix in fixes { tell(.significantChange(fix)) }
    } else {
      receive(fixes, isAnswer: manager === single)
    }
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // A session goes on by itself. Being refused is told by the authorization.
    if manager === single, request?.isOnce == true { giveUp() }
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
    // It is watched, with delay.
    case .regionMonitoringSetupDelayed?, .regionMonitoringResponseDelayed?: break
    default: if let id = region.flatMap(Self.fenceID) { tell(.fenceFailed(id)) }
    }
  }

  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    guard let place = Self.place(visit.coordinate) else { return }
    tell(visit.departureDate == .distantFuture ? .visitArrived(place) : .visitDeparted(place))
  }

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { rereadCapabilities() }
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    rereadCapabilities()
  }

  private func rereadCapabilities() {
    let current = readCapabilities()
    guard isStarted, current != capabilities else { return }
    capabilities = current
    tell(.capabilitiesChanged(current))
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

  /// Metres of stated accuracy with which a single fix is done before its time is up.
  private static func goodEnough(_ wanted: DesiredAccuracy) -> Double {
    switch wanted {
    case .bestForNavigation, .best, .tenMetres: 20
    case .hundredMetres: 100
    case .kilometre: 1000
    case .threeKilometres: 3000
    }
  }

  private static func metres(_ fix: Fix) -> Double {
    guard case .radius(let radius) = fix.accuracy else { return .greatestFiniteMagnitude }
    return radius.metres
  }

  private static func place(_ coordinate: CLLocationCoordinate2D) -> Coordinate? {
    try? Coordinate(latitudeDegrees: coordinate.latitude, longitudeDegrees: coordinate.longitude)
  }

  /// Nil for a position that is none on earth.
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
      course: location.course >= 0 && location.course.isFinite ? .degrees(location.course) : nil)
  }
}
