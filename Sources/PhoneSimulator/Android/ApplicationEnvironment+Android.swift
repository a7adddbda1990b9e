import AlarmEngine

/// Priorities of Android's fused positions: 100, 102, 104, 105. K.
public enum LocationPriority: Int, Sendable {
  case highAccuracy = 100
  case balanced = 102
  case lowPower = 104
  /// Only positions that other applications ask for.
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
  /// Adds fences; a fence replaces an existing one with the same id. Once the
  /// state of a new fence is known, its enter or exit is delivered if `initialTrigger` contains that.
  /// - Parameter intent: the name of the pending intent to send; an application may have only a few.
  /// - Throws: `.notAvailable` on every system but Android, and the errors of Play services' status codes.
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

  /// Keeps the application awake in the background, with a notification: host class H1. Started in the
  /// foreground.
  public func startForegroundService() {
    guard let process, case .android = phone.system else { return }
    process.hasForegroundService = true
    phone.reconsiderSuspension()
  }

  public func stopForegroundService() {
    process?.hasForegroundService = false
    phone.reconsiderSuspension()
  }

  /// Plans an alarm that wakes a suspended application; an alarm with the same id is replaced. A dozing phone
  /// spaces such alarms out. Android only.
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
  /// A position as the platform reported it: `accuracy` is its radius of uncertainty, and the time of receipt
  /// is now.
  init(_ fix: PhoneFix) {
    self.init(
      position: fix.position, accuracy: .radius(.metres(fix.accuracy)),
      measuredAt: fix.measuredAt + Phone.currentClockError,
      speed: fix.speed >= 0 ? .metresPerSecond(fix.speed) : nil,
      course: fix.course >= 0 ? .degrees(fix.course) : nil,
      altitude: fix.height.flatMap { Altitude(metres: $0.metres, error: $0.error, reference: .seaLevel) })
  }
}
