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
      if let lastKnown { believe(lastKnown, at: now) }
      begin(at: now, zones)
    case .stopped:
      stage = .stopped
      reason = WatchReason(.notStarted)
      wishes = PhoneWishes()
      requests.append(.releaseBackground)
    case .capabilitiesChanged(let capabilities):
      self.capabilities = capabilities
      begin(at: now, zones)
    case .zonesChanged:
      begin(at: now, zones)
    case .fix(let fix):
      take(fix, at: now, zones)
    case .significantChange(let fix):
      noteSignificantChange(fix, at: now, zones)
    case .fixFailed:
      if stage == .asking, capabilities.host == .timed { retry(at: now) }
    case .motion(let motion):
      noteMotion(motion, at: now, zones)
    case .fenceExited, .visitDeparted:
      budget.moved(.unknown, at: now, parameters)
      restingSince = nil
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
      if stage != .fenced, stage != .parked, stage != .fencing { plan(at: now, zones) }
    case .timer:
      wake(at: now, zones)
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
      ask(at: now, zones)
    case .following:
      let silent = lastFixAt.map { (now - $0).seconds >= parameters.retries[0] } ?? true
      if silent { failures += 1 }
      plan(at: now, zones)
      if stage == .following { wishes.timer = now.adding(seconds: parameters.retries[0]) }
    case .fencing, .fenced, .parked: ask(at: now, zones)
    case .sleeping, .ring:
      let silent = lastFixAt.map { (now - $0).seconds >= parameters.longestSilence } ?? true
      if silent || due.map({ $0 <= now }) ?? false { ask(at: now, zones) } else { plan(at: now, zones) }
    }
  }

  private mutating func noteMotion(_ motion: Motion, at now: Instant, _ zones: Surroundings) {
    let before = budget.motion
    budget.moved(motion, at: now, parameters)
    restingSince = motion == .still ? restingSince ?? now : nil
    guard motion != before else { return }
    switch stage {
    case .parked: if motion != .still { ask(at: now, zones) }
    case .fenced, .fencing, .stopped, .idle: break
    case .asking, .sleeping, .following, .ring: plan(at: now, zones)
    }
  }
}
