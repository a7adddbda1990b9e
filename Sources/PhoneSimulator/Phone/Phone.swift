import AlarmEngine
import Geometry

/// A phone on a virtual clock. It moves along a journey, runs one application, delivers the events that a
/// real phone would deliver, and keeps a log and an energy ledger.
///
/// The same journey, system, parameters, energy profile, seed, application and user actions give the same
/// log, byte for byte. It reads no clock of this machine and starts no thread.
///
/// One phone belongs to one thread at a time; different phones may run on different threads at once. That is
/// all `@unchecked Sendable` promises: it lets a phone be the task-local ``current`` one.
public final class Phone: @unchecked Sendable {
  /// The phone whose application is running; `CLLocationManager()` and the other fakes connect to it. Set by
  /// ``run(until:)`` and ``perform(_:)``.
  @TaskLocal public static var current: Phone?

  public let system: PhoneSystem
  public let parameters: PhoneParameters
  public let energyProfile: EnergyProfile
  public let seed: UInt64
  public internal(set) var log = EventLog()
  private var accounts: EnergyLedger

  /// The truth; only the simulator may look at it.
  let journey: Journey
  let clock: VirtualClock
  var randomness: Randomness
  let user: User
  var permission: Permission
  let executor = PhoneExecutor()

  var factory: ((Launch) -> any PhoneApplication)?
  var process: AppProcess?
  /// How the last process ended; decides which events may start the application again.
  var lastEnd: Occurrence.End?
  var isOff = false
  /// True from the phone's start until its first unlock; `waitsForUnlock` holds the events until then.
  var isLocked = false
  var waitsForUnlock: [() -> Void] = []
  /// All services are silent until this time.
  private var deafUntil: Instant?
  /// The time of the last exact alarm during a doze.
  var lastDozeAlarm: Instant?
  /// True if the application declares the background mode `location`.
  var declaresBackgroundLocation = true
  /// True if a service session for Always is held, or was held when its process ended.
  var holdsAlwaysSession = false
  /// The application's stored values and planned notifications; both outlive the process.
  var storage: [String: String] = [:]
  var notifications: [String: VirtualClock.Plan] = [:]
  var monitors: [String: MonitorStore] = [:]
  /// Objects of fakes of other frameworks, by type.
  var fakes: [ObjectIdentifier: AnyObject] = [:]

  private(set) var isMoving: Bool
  private(set) var stillSince: Instant
  /// The length of the last rest, up to the beginning of the last movement.
  private(set) var restBeforeMoving = TimeSpan.zero
  /// The time of the last change of motion; nil before the first, since the initial motion is known.
  private(set) var motionSince: Instant?

  private(set) var positioning: Positioning!
  private(set) var regions: RegionMonitor!
  private(set) var significantChanges: SignificantChanges!
  private(set) var visits: VisitMonitor!
  private(set) var geofences: GeofenceMonitor!

  /// The signals that the phone can receive at the moment.
  public struct Conditions: Hashable, Sendable {
    public var wifi = true
    /// Cell and data; false is airplane mode or no coverage.
    public var network = true
    /// False if satellites are jammed or out of service.
    public var satellites = true
    /// Another application's satellite session is running: ours costs no satellites, and regions are quick.
    public var otherSession = false
    /// The phone's height above sea level in metres, which positions by satellites state; nil: none does.
    public var height: Double?
    public init() {}
  }

  public var conditions: Conditions {
    didSet {
      guard conditions != oldValue else { return }
      if conditions.satellites != oldValue.satellites { positioning.motionChanged() }
      positioning.refresh()
      if conditions.network && !oldValue.network { regions.connectivityReturned() }
    }
  }

  /// - Parameter authorization: the permission that the user has already given; `.notDetermined` for a fresh
  ///   installation.
  public init(
    journey: Journey, system: PhoneSystem = .iOS(18), parameters: PhoneParameters = .measured2019,
    energyProfile: EnergyProfile = .iPhone6, seed: UInt64,
    authorization: CLAuthorizationStatus = .authorizedAlways, user: User = User(),
    conditions: Conditions = Conditions()
  ) {
    self.journey = journey
    self.system = system
    self.parameters = parameters
    self.energyProfile = energyProfile
    self.seed = seed
    self.user = user
    self.conditions = conditions
    permission = Permission(status: authorization)
    clock = VirtualClock(start: journey.start)
    randomness = Randomness(seed: seed)
    accounts = EnergyLedger(start: journey.start)
    isMoving = journey.motion(at: journey.start) != .still
    stillSince = journey.start
    positioning = Positioning(
      phone: self, sensors: Sensors(journey: journey, parameters: parameters, seed: seed))
    regions = RegionMonitor(phone: self)
    significantChanges = SignificantChanges(phone: self)
    visits = VisitMonitor(phone: self)
    geofences = GeofenceMonitor(phone: self)
    setPower(.base, energyProfile.baseMilliwatts)
    planMotion()
    planTermination()
    planKeepAliveEnd()
  }

  /// True time, which applications do not see: see ``clockError``.
  public var now: Instant { clock.now }

  /// The phone's clock minus true time. Applications, and the time stamps of positions, use the clock;
  /// timers are unaffected. The log holds true times.
  public var clockError = TimeSpan.zero
  /// The charge of the battery as applications see it.
  public var battery = Capabilities.Battery.full
  static var currentHeight: Double? { current?.conditions.height }
  static var currentClockError: TimeSpan { current?.clockError ?? .zero }

  /// The energy used up to ``now``.
  public var ledger: EnergyLedger {
    var settled = accounts
    settled.settle(at: now)
    return settled
  }

  /// Runs everything that falls due up to `end`, in order, and sets the time to `end`.
  public func run(until end: Instant) {
    Phone.$current.withValue(self) {
      executor.drain()
      while clock.step(until: end) { executor.drain() }
      clock.rest(until: end)
    }
    accounts.settle(at: now)
  }

  /// Runs an action of the user, or of a test inside the application, at this moment.
  public func perform(_ action: (Phone) -> Void) {
    Phone.$current.withValue(self) {
      action(self)
      executor.drain()
    }
  }

  /// Plans a later action, such as the user switching Wi-Fi off.
  public func at(_ time: Instant, _ action: @escaping (Phone) -> Void) {
    clock.plan(at: time) { [unowned self] in action(self) }
  }

  // MARK: For the simulator's parts

  func record(_ occurrence: Occurrence) { log.append(occurrence, at: now) }

  func setPower(_ component: EnergyLedger.Component, _ milliwatts: Double) {
    guard accounts.power(component) != milliwatts else { return }
    accounts.setPower(component, milliwatts: milliwatts, at: now)
  }

  func charge(_ component: EnergyLedger.Component, _ joules: Double) {
    accounts.charge(component, joules: joules)
  }

  var iOSVersion: IOSVersion? {
    switch system {
    case .iOS(let version): version
    case .android, .webPage: nil
    }
  }

  /// Updates the power that regions, significant changes and visits draw together.
  func accountForMonitoring() {
    let watching =
      !regions.isEmpty || significantChanges.isRegistered || visits.isRegistered || !geofences.isEmpty
    setPower(.monitoring, watching && !isOff ? energyProfile.monitoringMilliwatts : 0)
  }

  /// Updates the power of the motion coprocessor, which an application listens to, or the system for paused
  /// live updates.
  func accountForMotion() {
    let isHeard = process.map { $0.isExecuting && $0.motionHandler != nil } ?? false
    setPower(.motion, (isHeard || positioning.waitsForMotion) && !isOff ? energyProfile.motionMilliwatts : 0)
  }

  /// The time at which the motion hardware notices the last change of motion: the same for every application
  /// with this seed.
  var motionNoticedAt: Instant {
    guard let motionSince else { return journey.start }
    let draw = Randomness.uniform(seed: seed, channel: 8, index: motionSince.millisecondsSince1970)
    return motionSince + .seconds(parameters.motionDelay.value(at: draw))
  }

  private func planMotion() {
    guard let change = journey.nextChange(after: now) else { return }
    let before = journey.motion(at: now)
    clock.plan(at: change) { [unowned self] in
      let moving = journey.motion(at: now) != .still
      if isMoving && !moving { stillSince = now }
      if !isMoving && moving { restBeforeMoving = now - stillSince }
      isMoving = moving
      positioning.motionChanged()
      if journey.motion(at: now) != before {
        motionSince = now
        process?.tellMotion(at: motionNoticedAt)
        if moving, positioning.waitsForMotion {
          clock.plan(at: motionNoticedAt) { [unowned self] in positioning.motionNoticed() }
        }
      }
      planMotion()
    }
  }

  /// True while regions, significant changes and visits fail together.
  var isDeaf: Bool { deafUntil.map { now < $0 } ?? false }

  /// Called when an event was lost: the other services may fail too.
  func mayGoDeaf() {
    guard randomness.happens(.joint, probability: parameters.jointFailureProbability) else { return }
    deafUntil = now + .seconds(parameters.jointFailureSeconds)
  }

  private func planKeepAliveEnd() {
    let wait = randomness.exponential(.keepAlive, rate: parameters.keepAliveEndsPerDay / 86_400)
    guard wait < 1e9 else { return }
    clock.plan(after: .seconds(wait)) { [unowned self] in
      process?.endKeepAlive()
      planKeepAliveEnd()
    }
  }

  private func planTermination() {
    let wait = randomness.exponential(.memory, rate: parameters.terminationsPerDay / 86_400)
    guard wait < 1e9 else { return }
    clock.plan(after: .seconds(wait)) { [unowned self] in
      terminateIfSuspended()
      planTermination()
    }
  }
}
