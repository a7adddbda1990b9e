import Geometry

// MARK: When to look next

extension CertifiedWatch {
  /// The earliest of all zones' deadlines, and what it comes from.
  struct Demand: Hashable {
    var due: Instant?
    /// Certain metres before the nearest line, now.
    var margin: Double?
    /// Seconds at the greatest speed allowed until an entry cannot be excluded; nil when it always can.
    var reach: Double?
    /// The earliest deadline is one that does not lean on the motion hardware's word.
    var isStrict = false
  }

  /// Decides from what is known when the phone must be looked at next.
  mutating func plan(at now: Instant, _ zones: Surroundings, after fix: Fix? = nil) {
    guard mayWatch else { return }
    guard zones.hasWatchedZones || (capabilities.host == .suspended && zones.hasZonesToCome) else {
      return idle(zones)
    }
    guard let anchor else { return ask(at: now, zones, because: .waitsForFirstFix) }
    let demand = demand(anchor, at: now, zones)
    if capabilities.host == .visibleOnly { return follow(.followsContinuously, demand, at: now) }
    if zones.wantsFix, !isBlind(at: now) { return follow(.confirms, demand, at: now) }
    if !zones.wantsFix, capabilities.host == .suspended {
      if fence(anchor, at: now, zones) || leaveToSignificantChanges(anchor, at: now, zones) { return }
    }
    let wait = zones.wantsFix ? 0 : demand.due.map { ($0 - now).seconds } ?? .greatestFiniteMagnitude
    if isBlind(at: now), wait <= max(parameters.sessionBreakEven, parameters.handling) {
      return poll(demand, at: now, zones)
    } else if stage == .following {
      let isRelaxed = wait > 2 * parameters.sessionBreakEven
      if fix != nil { relaxedFixes = isRelaxed ? relaxedFixes + 1 : 0 }
      // At rest no fix comes, and none is needed.
      let isAtRest = isRelaxed && budget.motion == .still
      guard relaxedFixes >= parameters.fixesToLeaveSession || isAtRest || isBlind(at: now) else {
        reason = WatchReason(.followsContinuously, margin: demand.margin)
        return
      }
    } else if wait <= max(parameters.sessionBreakEven, parameters.handling) {
      // At rest one look settles it, unless a start must not go unnoticed until it is told.
      if budget.motion == .still, !demand.isStrict, !zones.wantsFix { return ask(at: now, zones) }
      return follow(.followsContinuously, demand, at: now)
    } else if let fix, stage == .asking, let better = better(than: fix, demand, at: now) {
      return ask(better, at: now, zones, because: reason.rule)
    }
    sleep(demand, at: now, zones)
  }

  /// Nothing on duty: wakes when the next schedule opens.
  private mutating func idle(_ zones: Surroundings) {
    stage = .idle
    due = nil
    reason = WatchReason(.nothingToWatch)
    wishes = PhoneWishes()
    wishes.timer = zones.nextScheduleChange
  }

  private mutating func sleep(_ demand: Demand, at now: Instant, _ zones: Surroundings) {
    relaxedFixes = 0
    due = demand.due
    var wake = now.adding(seconds: parameters.longestSilence)
    for time in [demand.due, zones.nextScheduleChange] { if let time { wake = min(wake, time) } }
    wishes.fences = []
    if capabilities.host == .suspended {
      // The session must live on, coarse and cheap, or the timer would never fire.
      stage = .ring
      wishes.session = Session(accuracy: .threeKilometres)
      wishes.significantChanges = capabilities.significantChanges
      wishes.visits = capabilities.visits
      // Awake anyway: it shows that it lives.
      wake = min(wake, now.adding(seconds: parameters.silenceAwake / 2))
      if let since = restingSince, !isResting(at: now) {
        wake = min(wake, since.adding(seconds: parameters.parkAfter))
      }
    } else {
      stage = .sleeping
      wishes.session = nil
    }
    wishes.timer = max(wake, now + .milliseconds(1))
    reason = WatchReason(
      stage == .ring ? .keepsSessionInRing : .sleepsUntilBudgetIsSpent, margin: demand.margin, due: demand.due
    )
  }

  /// Without satellites a session says no more than single fixes by the network, which cost less.
  private mutating func poll(_ demand: Demand, at now: Instant, _ zones: Surroundings) {
    var demand = demand
    let next = (networkFixAt ?? now).adding(seconds: parameters.networkPause)
    guard next > now else {
      if stage == .following { stage = .sleeping }
      return ask(at: now, zones)
    }
    demand.due = next
    sleep(demand, at: now, zones)
    reason.rule = .asksTheNetworkOnly
  }

  mutating func follow(_ rule: WatchReason.Rule, _ demand: Demand?, at now: Instant) {
    reason = WatchReason(rule, margin: demand?.margin)
    due = nil
    guard stage != .following else { return }
    if let reach = demand?.reach { isHurried = reach < firstFix(at: now) + parameters.handling }
    stage = .following
    followedAt = now
    relaxedFixes = 0
    wishes.fences = []
    wishes.session = Session(accuracy: .best)
    wishes.timer = now.adding(seconds: min(parameters.sessionFix, parameters.hotFix + parameters.handling))
  }

  /// Asks for one fix.
  mutating func ask(
    _ accuracy: DesiredAccuracy? = nil, at now: Instant, _ zones: Surroundings,
    because rule: WatchReason.Rule = .asksWhenBudgetIsSpent
  ) {
    guard mayWatch else { return }
    guard zones.hasWatchedZones || zones.hasZonesToCome else { return idle(zones) }
    if capabilities.host == .visibleOnly { return follow(.waitsForFirstFix, nil, at: now) }
    guard stage != .following else { return }
    if stage == .asking, askedAt != nil, accuracy == nil { return }
    // While suspended nobody heard the motion hardware: it is to say anew how things stand.
    if stage.isSuspended { told?.motion = false }
    stage = .asking
    askedAt = now
    due = nil
    reason = WatchReason(rule, due: now.adding(seconds: parameters.coldFix))
    askedFor = accuracy ?? sensor(at: now, zones)
    if isBlind(at: now) {
      if askedFor == .best { askedFor = .hundredMetres }
    } else if failures % 2 == 1 {
      // A sensor that failed gives way to the other one, in turn.
      if askedFor == .best, capabilities.wifi {
        askedFor = .hundredMetres
      } else if capabilities.gnss {
        askedFor = .best
      }
    }
    // A session, coarse and cheap, keeps a suspended application awake until the fix is there.
    wishes.session = capabilities.host == .suspended ? Session(accuracy: .threeKilometres) : nil
    // Satellites that were missed are given a short look.
    let span = satelliteMisses > 0 ? parameters.networkPause : parameters.coldFix
    requests.append(.requestFix(askedFor, within: .seconds(span)))
    wishes.timer = now.adding(seconds: max(1, span + parameters.handling))
  }

  /// A request came to nothing: asks again after a while.
  mutating func retry(at now: Instant) {
    let pause = parameters.retries[min(failures, parameters.retries.count - 1)]
    failures += 1
    askedAt = nil
    stage = capabilities.host == .suspended ? .ring : .sleeping
    due = now.adding(seconds: pause)
    reason = WatchReason(.retriesWithoutFix, due: due)
    wishes.timer = due
  }
}

// MARK: Sensors

extension CertifiedWatch {
  /// The cheapest sensor whose error is small against the distance.
  private func sensor(at now: Instant, _ zones: Surroundings) -> DesiredAccuracy {
    guard let anchor else { return capabilities.gnss ? .best : .hundredMetres }
    let binding = zones.binding(at: anchor.position, toCome: capabilities.host == .suspended)
    guard let nearest = binding.min(by: { $0.toAlert < $1.toAlert }) else { return .hundredMetres }
    let spent = budget.bound(at: now, strictly: false, parameters)
    let nearSafety = binding.contains {
      $0.assurance == .safety && $0.toAlert - spent <= parameters.networkWithin
    }
    let left = nearest.isAt ? 0 : nearest.toAlert - spent
    if left <= parameters.satellitesWithin || nearSafety { return capabilities.gnss ? .best : .hundredMetres }
    if left <= parameters.networkWithin {
      return capabilities.wifi || !capabilities.gnss ? .hundredMetres : .best
    }
    return .kilometre
  }

  /// A fix whose error is more than half of what it leaves is asked for again, one grade better.
  private func better(than fix: Fix, _ demand: Demand, at now: Instant) -> DesiredAccuracy? {
    guard let error = Self.error(of: fix, .normal), let margin = demand.margin, error > margin / 2 else {
      return nil
    }
    switch askedFor {
    case .threeKilometres, .kilometre: return .hundredMetres
    case .hundredMetres, .tenMetres: return capabilities.gnss && !isBlind(at: now) ? .best : nil
    case .best, .bestForNavigation: return nil
    }
  }

  /// Seconds from asking for a single fix to its measurement, when it is asked for then.
  func firstFix(at time: Instant) -> Double {
    guard capabilities.gnss else { return parameters.networkFix }
    let isHot = satellitesUsedAt.map { (time - $0).seconds <= parameters.hotFor } ?? false
    return isHot ? parameters.hotFix : parameters.coldFix
  }
}

// MARK: What the zones demand

extension CertifiedWatch {
  func demand(_ anchor: Fix, at now: Instant, _ zones: Surroundings) -> Demand {
    var demand = Demand()
    for zone in zones.binding(at: anchor.position, toCome: false) {
      guard let error = Self.error(of: anchor, zone.assurance) else { continue }
      let strictly = parameters.isStrict(zone.assurance)
      let line = (zone.isAt ? -zone.toAlert : zone.toAlert) - error
      let reached = budget.time(until: line, from: now, strictly: strictly, parameters)
      var due: Instant?
      switch zone.concern {
      case .entry, .leaving:
        let margin = line - budget.bound(at: now, strictly: strictly, parameters)
        demand.margin = min(demand.margin ?? margin, margin)
        // Looked at since it came to rest: nothing that a fix could tell has changed.
        let isSettled = !strictly && budget.motion == .still && hasLookedAtRest
        if let reached, reached > 0 || !isSettled {
          demand.reach = min(demand.reach ?? reached, reached)
          // A budget that is spent dates from the fix: events in between put nothing off.
          due = deadline(reached, error, zone, at: reached > 0 ? now : anchor.measuredAt)
        }
      case .clearing:
        due = clearing(reached, anchor, at: now)
      case .dwelling(let end):
        due = min(end, clearing(reached, anchor, at: now) ?? end)
      }
      if let due, demand.due.map({ due < $0 }) ?? true {
        demand.due = due
        demand.isStrict = strictly
      }
    }
    return demand
  }

  /// When a fix must be asked for so that an entry not before `reached` seconds from now is noticed in time.
  private func deadline(_ reached: Double, _ error: Double, _ zone: Surroundings.Nearby, at now: Instant)
    -> Instant
  {
    let lateness = parameters.lateness(zone.assurance, capabilities.battery)
    func due(_ fix: Double) -> Double {
      if zone.assurance == .safety { return reached + lateness - 2 * fix - parameters.handling }
      // A coarse sensor may be asked first; if it does not settle the matter, satellites follow.
      let detour = fix + parameters.networkFix + parameters.handling
      let left = error + parameters.greatestSpeed * max(0, detour - lateness)
      return reached + lateness - (left <= parameters.satellitesWithin ? fix : detour)
    }
    var wait = due(parameters.hotFix)
    if !capabilities.gnss {
      wait = due(parameters.networkFix)
    } else if firstFix(at: now.adding(seconds: max(0, wait))) > parameters.hotFix {
      wait = due(parameters.coldFix)
    }
    if zone.leadTime != nil {
      // Its line comes nearer with the phone's speed, which a few fixes on the way have to show.
      wait = min(wait, max(parameters.clearingPause, reached / 2))
    }
    return now.adding(seconds: wait)
  }

  /// A position no coarser than a network's was measured after the phone came to rest.
  var hasLookedAtRest: Bool {
    guard let restingSince, let networkFixAt else { return false }
    return restingSince <= networkFixAt
  }

  /// A zone that rang is looked at now and then, while the phone moves.
  private func clearing(_ reached: Double?, _ anchor: Fix, at now: Instant) -> Instant? {
    if budget.motion == .still, hasLookedAtRest { return nil }
    let next = now.adding(seconds: reached ?? 0)
    return max(next, anchor.measuredAt.adding(seconds: parameters.clearingPause))
  }
}
