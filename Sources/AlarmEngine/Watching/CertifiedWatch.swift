import Geometry

/// The displacement-budget policy: the fewest fixes that still let nobody slower than the stated speed come in
/// unseen.
///
/// After a fix, the phone keeps quiet until the greatest distance that it can have moved reaches the distance that
/// is certain to lie before the nearest zone. A phone that can wake itself sleeps by timer; one that is suspended
/// lays a single fence round itself, as large as that distance allows, and keeps a session only in the ring where
/// the system's fences are too slow. Any number of zones costs the same.
///
/// With one sensor and exact fixes no sound schedule needs fewer: energy theory, theorems 1 to 4.
public struct CertifiedWatch: WatchDecisions, Hashable {
  public enum Stage: Hashable, Sendable {
    case stopped
    /// Nothing on duty, or not allowed to look.
    case idle
    /// Between single fixes.
    case sleeping
    /// A fix has been asked for.
    case asking
    /// A session follows every step.
    case following
    /// Suspended inside one large fence.
    case fenced
    /// A coarse session keeps a suspended application awake between single fixes.
    case ring
    /// Suspended inside a small fence, near a zone, at rest.
    case parked
  }

  public let parameters: CertifiedParameters
  public private(set) var stage = Stage.stopped
  public private(set) var reason = WatchReason(.notStarted)
  public private(set) var guarantee = Guarantee.notWatched(.stopped)
  private var capabilities = Capabilities.timed
  private var anchor: Fix?
  private var budget = DisplacementBudget(at: Instant(millisecondsSince1970: 0))
  private var satellitesUsedAt: Instant?
  private var restingSince: Instant?
  private var failures = 0
  private var relaxedFixes = 0
  private var askedFor = DesiredAccuracy.best

  public init(parameters: CertifiedParameters = CertifiedParameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    switch event {
    case .started(_, let capabilities, let lastKnown):
      self.capabilities = capabilities
      budget = DisplacementBudget(at: now)
      stage = .idle
      if let lastKnown { believe(lastKnown, at: now, zones) }
      return start(at: now, zones)
    case .stopped:
      stage = .stopped
      guarantee = .notWatched(.stopped)
      reason = WatchReason(.notStarted)
      return Self.nothing
    case .capabilitiesChanged(let capabilities):
      self.capabilities = capabilities
      return start(at: now, zones)
    case .zonesChanged:
      return anchor == nil ? start(at: now, zones) : plan(at: now, zones)
    case .fix(let fix), .significantChange(let fix):
      failures = 0
      believe(fix, at: now, zones)
      return plan(at: now, zones, after: fix)
    case .fixFailed:
      return retry(at: now, zones)
    case .motion(let motion):
      return moved(motion, at: now, zones)
    case .fenceExited, .visitDeparted:
      budget.moved(.unknown, at: now, parameters)
      restingSince = nil
      return ask(at: now, zones)
    case .fenceEntered:
      return follow(.confirms, at: now)
    case .fenceState(_, let inside):
      return inside == false ? ask(at: now, zones) : []
    case .fenceFailed:
      capabilities.fences = 0
      return plan(at: now, zones)
    case .visitArrived:
      return rest(at: now, zones)
    case .timer:
      if isResting(at: now), stage == .ring { return rest(at: now, zones) }
      return stage == .following ? plan(at: now, zones) : ask(at: now, zones)
    case .cameToForeground, .wentToBackground:
      return []
    }
  }

  static let nothing: [WatchCommand] = [
    .endSession, .fences([]), .significantChanges(false), .visits(false), .motion(false), .timer(nil),
    .releaseBackground,
  ]
}

// MARK: Knowledge

extension CertifiedWatch {
  /// Keeps whichever is tighter: the new disc, or the old one grown by what the phone can have moved.
  private mutating func believe(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    guard let error = Self.error(of: fix) else { return }
    if error <= 20 { satellitesUsedAt = now }
    if let anchor, let known = Self.error(of: anchor),
      error > known + budget.bound(at: now, strictly: true, parameters)
    {
      return
    }
    anchor = fix
    budget.restart(at: fix.measuredAt, now: now, parameters)
  }

  /// Metres that hold the phone with the assurance of a safety zone; nil for a fix that says it is none.
  private static func error(of fix: Fix) -> Double? {
    switch fix.accuracy {
    case .radius(let radius) where radius >= .zero: return Rule.errorFactor(.safety) * radius.metres
    case .radius: return nil
    case .unstated: return Rule.errorFactor(.safety) * 100
    }
  }

  private mutating func moved(_ motion: Motion, at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    let before = budget.motion
    budget.moved(motion, at: now, parameters)
    if motion == .still {
      if restingSince == nil { restingSince = now }
    } else {
      restingSince = nil
    }
    guard motion != before, stage != .stopped else { return [] }
    if stage == .parked, motion != .still { return ask(at: now, zones) }
    return plan(at: now, zones)
  }

  private func isResting(at now: Instant) -> Bool {
    restingSince.map { (now - $0).seconds >= parameters.parkAfter } ?? false
  }
}

// MARK: Decisions

extension CertifiedWatch {
  private mutating func start(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    guard capabilities.authorized, capabilities.preciseLocation || !zones.hasWatchedZones else {
      stage = .idle
      guarantee = .notWatched(capabilities.authorized ? .approximateOnly : .notAuthorized)
      reason = WatchReason(.mayNotWatch)
      return Self.nothing
    }
    guard zones.hasWatchedZones else { return idle(at: now, zones) }
    let motion: [WatchCommand] = capabilities.motion ? [.motion(true)] : []
    return motion + (anchor == nil ? ask(at: now, zones) : plan(at: now, zones))
  }

  /// Nothing on duty: wakes for the next schedule, with time for a fix before it.
  private mutating func idle(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    stage = .idle
    guarantee = .notWatched(.nothingOnDuty)
    reason = WatchReason(.nothingToWatch)
    let next = zones.nextScheduleChange.map { $0 - .seconds(parameters.coldFix) }
    return [
      .endSession, .fences([]), .significantChanges(false), .visits(false),
      .timer(next.map { max($0, now + .seconds(1)) }),
    ]
  }

  /// Decides from what is known when the phone must be looked at next.
  private mutating func plan(at now: Instant, _ zones: Surroundings, after fix: Fix? = nil) -> [WatchCommand]
  {
    guard stage != .stopped else { return [] }
    guard zones.hasWatchedZones else { return idle(at: now, zones) }
    guard let anchor, let error = Self.error(of: anchor) else { return ask(at: now, zones) }
    if zones.wantsFix { return follow(.confirms, at: now) }
    let demand = demand(anchor, error, at: now, zones)
    publish(demand, at: now)
    if capabilities.host == .visibleOnly { return follow(.followsContinuously, at: now) }
    if capabilities.host == .suspended, let fenced = fence(anchor, error, demand, at: now, zones) {
      return fenced
    }
    guard let due = demand.due else { return sleep(until: nil, demand, zones) }
    let wait = (due - now).seconds
    if stage == .following {
      relaxedFixes = wait > 2 * parameters.sessionBreakEven ? relaxedFixes + (fix == nil ? 0 : 1) : 0
      if relaxedFixes < parameters.fixesToLeaveSession, wait < 20 * parameters.sessionBreakEven { return [] }
    } else if wait <= max(parameters.sessionBreakEven, parameters.handling) {
      return follow(.followsContinuously, at: now)
    }
    if let fix, wait > 0, let late = tooCoarse(fix, demand) { return late }
    return sleep(until: due, demand, zones)
  }

  /// A fix whose error is more than half of what it leaves is asked for again, one grade better.
  private mutating func tooCoarse(_ fix: Fix, _ demand: Demand) -> [WatchCommand]? {
    guard stage == .asking, let error = Self.error(of: fix), error > demand.margin / 2, askedFor != .best
    else {
      return nil
    }
    askedFor = askedFor == .hundredMetres ? .best : .hundredMetres
    return [.requestFix(askedFor, within: .seconds(parameters.coldFix))]
  }

  private mutating func sleep(until due: Instant?, _ demand: Demand, _ zones: Surroundings) -> [WatchCommand]
  {
    relaxedFixes = 0
    var wake = due
    if let opening = zones.nextScheduleChange {
      let before = opening - .seconds(parameters.coldFix)
      wake = wake.map { min($0, max(before, zones.now)) } ?? before
    }
    reason = WatchReason(.sleepsUntilBudgetIsSpent, margin: demand.margin, due: wake)
    if capabilities.host == .suspended {
      // The session must live on, coarse and cheap, or the timer would never fire.
      stage = .ring
      reason.rule = .keepsSessionInRing
      return [.session(Session(accuracy: .threeKilometres)), .timer(wake), .significantChanges(true)]
    }
    stage = .sleeping
    return [.endSession, .timer(wake)]
  }

  private mutating func follow(_ rule: WatchReason.Rule, at now: Instant) -> [WatchCommand] {
    reason = WatchReason(rule, due: now + .seconds(parameters.sessionFix))
    guard stage != .following else { return [] }
    stage = .following
    relaxedFixes = 0
    return [.session(Session(accuracy: .best)), .timer(nil)]
  }

  private mutating func ask(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    guard stage != .stopped, zones.hasWatchedZones else {
      return stage == .stopped ? [] : idle(at: now, zones)
    }
    if capabilities.host == .visibleOnly { return follow(.waitsForFirstFix, at: now) }
    stage = .asking
    reason = WatchReason(.waitsForFirstFix)
    askedFor = sensor(at: now, zones)
    return [
      .requestFix(askedFor, within: .seconds(parameters.coldFix)),
      .timer(now + .seconds(parameters.coldFix + parameters.retries[0])),
    ]
  }

  /// The cheapest sensor whose error is small against the distance.
  private func sensor(at now: Instant, _ zones: Surroundings) -> DesiredAccuracy {
    guard let anchor, let nearest = zones.nearest(1, to: anchor.position).first else { return .best }
    let left = nearest.toAlert - budget.bound(at: now, strictly: false, parameters)
    if left <= parameters.satellitesWithin { return capabilities.gnss ? .best : .hundredMetres }
    if left <= parameters.networkWithin { return capabilities.wifi ? .hundredMetres : .best }
    return .kilometre
  }

  private mutating func retry(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    guard stage != .stopped else { return [] }
    let pause = parameters.retries[min(failures, parameters.retries.count - 1)]
    failures += 1
    guarantee = .bestEffort(.noFix)
    reason = WatchReason(.retriesWithoutFix, due: now + .seconds(pause))
    return [.timer(now + .seconds(pause))]
  }

  private mutating func rest(at now: Instant, _ zones: Surroundings) -> [WatchCommand] {
    if restingSince == nil { restingSince = now }
    guard capabilities.host == .suspended, let anchor, capabilities.fences > 0 else {
      return plan(at: now, zones)
    }
    let near = zones.nearest(1, to: anchor.position).first
    guard let near, parameters.parksSafety || near.assurance != .safety else { return plan(at: now, zones) }
    stage = .parked
    let radius = max(parameters.smallestFence, min(200, near.toAlert / 2))
    let delay = parameters.fenceDelay + parameters.coldFix + parameters.handling
    guarantee = .guaranteed(upTo: .metresPerSecond(parameters.greatestSpeed), late: delay, after: .departure)
    reason = WatchReason(.parkedInsideFence, margin: near.toAlert)
    return [
      .fences([Fence(id: .movement, center: anchor.position, radius: radius, onEntry: false)]),
      .significantChanges(true), .visits(true), .endSession, .timer(nil),
    ]
  }
}

// MARK: What the zones demand

extension CertifiedWatch {
  /// The earliest of all zones' deadlines, and what it comes from.
  struct Demand: Hashable {
    var due: Instant?
    /// Certain metres before the nearest alert line, now.
    var margin: Double
    var strict: Bool
    /// Greatest lateness, seconds, among the zones that bind.
    var late: Double
  }

  private func demand(_ anchor: Fix, _ error: Double, at now: Instant, _ zones: Surroundings) -> Demand {
    let near = zones.nearest(16, to: anchor.position)
    var demand = Demand(due: nil, margin: .greatestFiniteMagnitude, strict: false, late: 0)
    for zone in near {
      let strict = zone.assurance == .safety
      // A zone the phone is at binds by its depth: the way out.
      let line = zone.isAt ? max(0, -zone.toAlert) : zone.toAlert
      let spent = budget.bound(at: now, strictly: strict, parameters)
      let lateness = max(parameters.lateness(zone.assurance), zone.isAt ? parameters.normalLateness : 0)
      demand.margin = min(demand.margin, line - error - spent)
      guard
        let reached = budget.time(until: line - error, from: now, strictly: strict, parameters)
      else { continue }
      let due = now + .seconds(max(0, reached + lateness - lead(zone.assurance, at: now)))
      if demand.due.map({ due < $0 }) ?? true {
        demand.due = due
        demand.strict = strict
        demand.late = max(lateness, parameters.handling + firstFix(at: now))
      }
    }
    if near.isEmpty { demand.margin = 0 }
    return demand
  }

  /// Seconds before the budget is spent at which a fix is asked for.
  private func lead(_ assurance: Assurance, at now: Instant) -> Double {
    let fix = firstFix(at: now)
    return assurance == .safety ? 2 * fix + parameters.handling : fix
  }

  private func firstFix(at now: Instant) -> Double {
    if stage == .following { return parameters.sessionFix }
    guard capabilities.gnss else { return parameters.networkFix }
    let hot = satellitesUsedAt.map { (now - $0).seconds <= parameters.hotFor } ?? false
    return hot ? parameters.hotFix : parameters.coldFix
  }

  /// Far enough from all zones to be suspended inside one fence: theorem 4.
  private mutating func fence(
    _ anchor: Fix, _ error: Double, _ demand: Demand, at now: Instant, _ zones: Surroundings
  ) -> [WatchCommand]? {
    guard capabilities.fences > 0, let nearest = zones.nearest(1, to: anchor.position).first, !nearest.isAt
    else {
      return nil
    }
    let delay = nearest.assurance == .safety ? parameters.safetyFenceDelay : parameters.fenceDelay
    let run = parameters.greatestSpeed * (delay + parameters.coldFix + parameters.handling)
    let radius = min(capabilities.largestFence, nearest.toAlert - parameters.fenceCushion - run)
    guard radius >= parameters.smallestFence, error <= radius else {
      return isResting(at: now) ? rest(at: now, zones) : nil
    }
    stage = .fenced
    reason = WatchReason(.insideMovementFence, margin: radius)
    var fences = [Fence(id: .movement, center: anchor.position, radius: radius, onEntry: false)]
    // The other slots only add safety against a lost event: the nearest zones, grown by what a fast phone runs.
    for zone in zones.nearest(max(0, capabilities.fences - 1), to: anchor.position) {
      let circle = zones.enclosingCircle(of: zone.zone)
      let radius = min(capabilities.largestFence, max(200, circle.radius + run))
      fences.append(Fence(id: FenceID(zone: zone.id), center: circle.center, radius: radius, onExit: false))
    }
    return [
      .fences(fences), .requestState(.movement), .significantChanges(true), .visits(true), .endSession,
      .timer(nil),
    ]
  }

  private mutating func publish(_ demand: Demand, at now: Instant) {
    if capabilities.host == .visibleOnly {
      guarantee = .bestEffort(.onlyWhileVisible)
    } else if !capabilities.background {
      guarantee = .bestEffort(.onlyInUse)
    } else {
      let unnoticed =
        demand.strict || budget.motion == .unknown || budget.motion == .driving ? 0 : parameters.motionDelay
      guarantee = .guaranteed(
        upTo: .metresPerSecond(parameters.greatestSpeed), late: demand.late + parameters.handling + unnoticed,
        after: .entry)
    }
  }
}
