import AlarmEngine

/// Priorities of Android's fused positions: 100, 102, 104, 105. K.
public enum LocationPriority: Int, Sendable {
  case highAccuracy = 100
  case balanced = 102
  case lowPower = 104
  /// Positions that others ask for, and none of its own.
  case passive = 105

  var accuracy: Double {
    switch self {
    case .highAccuracy: kCLLocationAccuracyBest
    case .balanced: kCLLocationAccuracyHundredMeters
    case .lowPower, .passive: kCLLocationAccuracyThreeKilometers
    }
  }
}

/// Positions under way; cancel them to stop.
public final class LocationUpdates {
  private weak var process: AppProcess?
  private let stream: UpdateStream
  init(process: AppProcess?, stream: UpdateStream) {
    self.process = process
    self.stream = stream
  }
  public func cancel() { process?.stop(stream) }
}

extension ApplicationEnvironment {
  /// Replaces fences of the same ids. Fires at once for those the phone is inside of, if `initialTrigger` says so.
  /// - Parameter intent: names the pending intent that is sent; an application has a few.
  /// - Throws: `.notAvailable` on every system but Android, and what Play services' status codes say.
  public func addGeofences(
    _ fences: [Geofence], initialTrigger: Geofence.Transitions = [.enter, .dwell],
    intent: String = "geofences"
  ) throws(GeofencingError) {
    guard process != nil else { return }
    guard case .android = phone.system else { throw .notAvailable }
    try phone.geofences.add(fences, initialTrigger: initialTrigger, intent: intent)
  }

  public func removeGeofences(_ ids: [String]) { if process != nil { phone.geofences.remove(ids) } }
  public var geofenceIDs: [String] { phone.geofences.ids }

  /// Keeps the application awake in the background, with a notification: host class H1. Started in the foreground.
  public func startForegroundService() {
    guard let process, case .android = phone.system else { return }
    process.hasForegroundService = true
    phone.reconsiderSuspension()
  }

  public func stopForegroundService() {
    process?.hasForegroundService = false
    phone.reconsiderSuspension()
  }

  /// Wakes the application at a time, suspended or not; the same id replaces. A dozing phone keeps such alarms apart.
  /// Android only.
  public func setExactAlarm(id: String, after span: TimeSpan, _ action: @escaping () -> Void) {
    guard process != nil, case .android = phone.system else { return }
    let key = "alarm \(id)"
    phone.notifications[key]?.cancel()
    let owner = process
    phone.notifications[key] = phone.clock.plan(after: span) { [unowned phone, weak owner] in
      phone.ringAlarm(key: key) {
        guard let owner, owner.isAlive else { return }
        phone.wake(.alarm) { process in if process === owner { action() } }
      }
    }
  }

  /// Positions at `interval` or slower while the application runs.
  public func requestLocationUpdates(
    _ priority: LocationPriority, interval: TimeSpan, _ receive: @escaping (Fix) -> Void
  ) -> LocationUpdates {
    let stream = UpdateStream(.continuous, accuracy: priority.accuracy, receive: { receive(Fix($0)) })
    stream.interval = interval.seconds
    stream.isPassive = priority == .passive
    stream.allowsBackground = true
    if phone.isAuthorized { process?.start(stream) }
    return LocationUpdates(process: process, stream: stream)
  }

  /// One position, or nil after `timeout`.
  public func currentLocation(
    _ priority: LocationPriority, timeout: TimeSpan, _ receive: @escaping (Fix?) -> Void
  ) {
    let stream = UpdateStream(
      .single, accuracy: priority.accuracy, receive: { receive(Fix($0)) }, fail: { receive(nil) })
    stream.timeout = timeout.seconds
    if phone.isAuthorized { process?.start(stream) }
  }
}

extension Fix {
  /// As the platform said it: `accuracy` is its radius of uncertainty, and the fix is received now.
  init(_ fix: PhoneFix) {
    self.init(
      position: fix.position, accuracy: .radius(.metres(fix.accuracy)),
      measuredAt: fix.measuredAt + Phone.currentClockError,
      speed: fix.speed >= 0 ? .metresPerSecond(fix.speed) : nil,
      course: fix.course >= 0 ? .degrees(fix.course) : nil)
  }
}
