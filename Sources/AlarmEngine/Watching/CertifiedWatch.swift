import Geometry

/// The displacement-budget policy: the fewest fixes that still let nobody slower than the stated speed come in
/// unseen.
///
/// After a fix, the phone keeps quiet until the greatest distance that it can have moved reaches the distance that
/// is certain to lie before the nearest zone. A phone that can wake itself sleeps by timer; one that is suspended
/// lays a single fence round itself, as large as that distance allows, and keeps a session only in the ring where
/// the system's fences are too slow. Any number of zones costs the same.
///
/// With one sensor and exact fixes no schedule that misses nobody needs fewer fixes, even one that knows the way
/// beforehand; with errors up to e, none that watches zones grown by 2e does. What is promised, and on which
/// premises, is ``Guarantee/Promise``.
///
///     idle -> asking -> sleeping (by timer) -> asking ...         can wake itself
///                \---> following (a session, near)
///                \---> ring (coarse session and timer)            suspended
///                \---> fencing -> fenced | parked -> asking ...   suspended
///                \---> coarse -> asking ...                       suspended, without fences
public struct CertifiedWatch: WatchDecisions, Hashable {
  public enum Stage: UInt8, Hashable, Sendable {
    case stopped
    /// Nothing on duty, or not allowed to look.
    case idle
    /// A fix has been asked for.
    case asking
    /// Between single fixes.
    case sleeping
    /// A session follows every step.
    case following
    /// A coarse session keeps a suspended application awake between single fixes.
    case ring
    /// A fence has been laid; the application stays awake until the system says that the phone is in it.
    case fencing
    /// Suspended inside one large fence.
    case fenced
    /// Suspended inside a small fence, near a zone, at rest.
    case parked
    /// Suspended far from all zones, woken by significant changes alone.
    case coarse

    /// Nobody hears the motion hardware, and no timer runs.
    var isSuspended: Bool { self == .fenced || self == .parked || self == .coarse }
  }

  /// The greatest speed among them rises when the phone proves to be faster.
  public internal(set) var parameters: CertifiedParameters
  public internal(set) var stage = Stage.stopped
  public internal(set) var reason = WatchReason(.notStarted)
  var capabilities = Capabilities.timed
  /// The fix with the tightest knowledge, and how far the phone can be from it.
  var anchor: Fix?
  var budget = DisplacementBudget(at: Instant(millisecondsSince1970: 0))
  var suspect: Fix?
  var satellitesUsedAt: Instant?
  /// Satellites were looked for in vain so often in a row, and are looked for again then.
  var satelliteMisses = 0
  var satellitesBackAt: Instant?
  /// A fence wanted a better fix.
  var fenceFixAskedAt: Instant?
  /// The last fix that was at least a network's.
  var networkFixAt: Instant?
  var restingSince: Instant?
  /// Requests in a row that brought no fix.
  var failures = 0
  /// Fixes in a row whose deadlines no longer need the session.
  var relaxedFixes = 0
  var askedFor = DesiredAccuracy.best
  var askedAt: Instant?
  var lastFixAt: Instant?
  /// The next fix is to be asked for then.
  var due: Instant?
  /// A session was begun so late that its first fix may come after an entry.
  var isHurried = false
  /// The session's begin.
  var followedAt: Instant?
  var isParking = false
  var isHidden = false
  /// Safety zones of which it was said that the phone may be in them unseen.
  var warned: [ZoneID] = []
  var wishes = PhoneWishes()
  var told: PhoneWishes?
  var requests: [WatchCommand] = []

  public init(parameters: CertifiedParameters = CertifiedParameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    if case .started = event {} else if stage == .stopped { return [] }
    requests = []
    react(to: event, at: now, zones)
    warn(at: now, zones)
    putOffSilence(at: now, zones)
    let commands = wishes.commands(since: told) + requests
    told = wishes
    return commands
  }

  private mutating func react(to event: WatchEvent, at now: Instant, _ zones: Surroundings) {
    switch event {
    case .started(_, let capabilities, let lastKnown):
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      budget = DisplacementBudget(at: now)
      stage = .idle
      noteWifi(since: true)
      if let lastKnown { believe(lastKnown, at: now) }
      begin(at: now, zones)
    case .stopped:
      stage = .stopped
      reason = WatchReason(.notStarted)
      wishes = PhoneWishes()
      requests.append(.releaseBackground)
    case .capabilitiesChanged(let capabilities):
      let hadWifi = self.capabilities.wifi
      self.capabilities = capabilities
      noteWifi(since: hadWifi)
      begin(at: now, zones)
    case .zonesChanged:
      begin(at: now, zones)
    case .fix(let fix):
      take(fix, at: now, zones)
    case .significantChange(let fix):
      noteSignificantChange(fix, at: now, zones)
    case .fixFailed:
      guard stage == .asking else { return }
      guard askedFor == .best else { return retry(at: now) }
      missSatellites(at: now)
      guard isBlind(at: now) else { return retry(at: now) }
      askedAt = nil
      ask(at: now, zones)
    case .motion(let motion):
      noteMotion(motion, at: now, zones)
    case .fenceExited, .visitDeparted:
      distrustMotion(at: now)
      ask(at: now, zones)
    case .fenceEntered:
      ask(at: now, zones)
    case .fenceState(let id, let inside):
      if id == .movement { noteFence(inside: inside, at: now, zones) }
    case .fenceFailed(let id):
      guard id == .movement else { return }
      capabilities.fences = 0
      wishes.fences = []
      plan(at: now, zones)
    case .visitArrived:
      restingSince = restingSince ?? now.adding(seconds: -parameters.parkAfter)
      if !stage.isSuspended, stage != .fencing { plan(at: now, zones) }
    case .timer:
      wake(at: now, zones)
    case .clockJumped(let span):
      shift(by: ClockJump(at: now, by: span))
      // Schedules go by the clock: other zones may be on duty.
      begin(at: now, zones)
    case .cameToForeground:
      isHidden = false
      begin(at: now, zones)
    case .wentToBackground:
      isHidden = true
    case .willTerminate:
      // The system launches it again for these alone, and for fences.
      wishes.significantChanges = capabilities.authorized && capabilities.significantChanges
    }
  }

  var mayWatch: Bool { capabilities.authorized && capabilities.preciseLocation }

  /// Starts or goes on with what the phone grants.
  private mutating func begin(at now: Instant, _ zones: Surroundings) {
    guard mayWatch else {
      stage = .idle
      due = nil
      reason = WatchReason(.mayNotWatch)
      wishes = PhoneWishes()
      // Too coarse for any promise, but better than nothing.
      wishes.significantChanges = capabilities.authorized && capabilities.significantChanges
      return
    }
    wishes.motion = capabilities.motion && zones.hasZonesToCome
    plan(at: now, zones)
  }

  private mutating func wake(at now: Instant, _ zones: Surroundings) {
    // It is used up: the next one is told anew, even for the same time.
    wishes.timer = nil
    told?.timer = nil
    switch stage {
    case .stopped, .idle: begin(at: now, zones)
    case .asking:
      // The request was not answered.
      failures += 1
      askedAt = nil
      if askedFor == .best { missSatellites(at: now) }
      ask(at: now, zones)
    case .following:
      noteSilence(at: now, zones)
      plan(at: now, zones)
      if stage == .following { wishes.timer = now.adding(seconds: parameters.sessionFix) }
    case .fencing, .fenced, .parked, .coarse: ask(at: now, zones)
    case .sleeping, .ring:
      let silent = lastFixAt.map { (now - $0).seconds >= parameters.longestSilence } ?? true
      if silent || due.map({ $0 <= now }) ?? false { ask(at: now, zones) } else { plan(at: now, zones) }
    }
  }

  /// A session that says nothing while the phone may move gives way to the network, little by little.
  private mutating func noteSilence(at now: Instant, _ zones: Surroundings) {
    guard let followedAt, capabilities.host != .visibleOnly else { return }
    // At rest a session is silent by nature.
    if budget.motion == .still, hasLookedAtRest, !zones.wantsFix { return }
    let fixless = (now - max(followedAt, satellitesUsedAt ?? followedAt)).seconds
    if fixless > parameters.coldFix + parameters.handling { missSatellites(at: now) }
    let silent = (now - max(followedAt, lastFixAt ?? followedAt)).seconds
    let isStarting = satellitesUsedAt.map { $0 < followedAt } ?? true
    if silent >= (isStarting ? min(parameters.sessionFix, parameters.hotFix) : parameters.sessionFix),
      !isBlind(at: now)
    {
      requests.append(.requestFix(.hundredMetres, within: .seconds(parameters.networkPause)))
    }
  }

  private mutating func noteMotion(_ motion: Motion, at now: Instant, _ zones: Surroundings) {
    let rested = budget.motion == .still && motion == .still
    budget.told(motion, at: now, parameters)
    // The same word again: something else went before it.
    restingSince = motion != .still ? nil : rested ? now : restingSince ?? now
    switch stage {
    case .parked: if motion != .still { ask(at: now, zones) }
    case .fenced, .fencing, .coarse, .stopped, .idle: break
    case .asking, .sleeping, .following, .ring: plan(at: now, zones)
    }
  }
}
