import Geometry

/// The classic three tiers: continuous updates near a zone, significant changes farther off, regions beyond
/// (S112-S124).
///
/// As described, the policy ignores speed and accuracy, and measures distances to the zone, not to its alert
/// line. A zone whose alert distance exceeds the Standard Threshold therefore gets no continuous updates
/// before its own alert line.
public struct TieredWatch: WatchDecisions, Hashable {
  public enum Tier: UInt8, Hashable, Sendable { case none, first, standard, significant, region }

  public let parameters: TieredParameters
  public private(set) var tier = Tier.none
  public private(set) var reason = WatchReason(.notStarted)
  private var capabilities = Capabilities.suspended
  private var last: Fix?
  private var isStarted = false
  private var isInBackground = false
  private var wishes = PhoneWishes()
  private var told: PhoneWishes?

  public init(parameters: TieredParameters = TieredParameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    if case .started = event {} else if !isStarted { return [] }
    switch event {
    case .started(let start, let capabilities, let lastKnown):
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      isStarted = true
      isInBackground = start != .person
      last = lastKnown
      look(at: now, zones)
    case .stopped:
      isStarted = false
      enter(.none, because: .notStarted)
    case .fix(let fix), .significantChange(let fix):
      last = fix
      step(fix, at: now, zones)
    case .fenceEntered, .fenceExited:
      if let fix = fresh(at: now) {
        step(fix, at: now, zones)
      } else {
        enter(.significant, because: .significantTier)
      }
    case .timer:
      told?.timer = nil
      if let last, tier == .region { step(last, at: now, zones) } else { look(at: now, zones) }
    case .capabilitiesChanged(let capabilities):
      self.capabilities = capabilities
      look(at: now, zones)
    case .zonesChanged: look(at: now, zones)
    case .clockJumped(let span):
      let jump = ClockJump(at: now, by: span)
      last = last.map { jump.shifted($0) }
      wishes.timer = wishes.timer.map { jump.shifted($0) }
      told?.timer = nil
      if let last, tier == .region { step(last, at: now, zones) } else { look(at: now, zones) }
    case .cameToForeground:
      isInBackground = false
      look(at: now, zones)
    case .wentToBackground:
      isInBackground = true
      if tier == .standard, let last { step(last, at: now, zones) }
    case .fixFailed, .fenceState, .fenceFailed, .visitArrived, .visitDeparted, .motion, .willTerminate: break
    }
    let commands = wishes.commands(since: told)
    told = isStarted ? wishes : nil
    return commands
  }

  private func fresh(at now: Instant) -> Fix? {
    last.flatMap { now - $0.measuredAt <= parameters.freshFor ? $0 : nil }
  }

  private mutating func look(at now: Instant, _ zones: Surroundings) {
    if let fix = fresh(at: now) { return step(fix, at: now, zones) }
    guard isOnDuty(zones) else { return }
    enter(.first, because: .waitsForFirstFix)
    wishes.session = Session(accuracy: parameters.accuracy)
  }

  private mutating func isOnDuty(_ zones: Surroundings) -> Bool {
    guard capabilities.authorized else {
      enter(.none, because: .mayNotWatch)
      return false
    }
    guard zones.hasWatchedZones else {
      enter(.none, because: .nothingToWatch)
      wishes.timer = zones.nextScheduleChange
      return false
    }
    return true
  }

  private mutating func step(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    guard isOnDuty(zones), let nearest = zones.nearestEdges(1, to: fix.position).first else { return }
    let distance = max(.zero, nearest.toEdge)
    if distance < parameters.standardThreshold, parameters.followsInBackground || !isInBackground {
      enter(.standard, because: .standardTier, margin: distance)
      wishes.session = Session(accuracy: parameters.accuracy, distanceFilter: parameters.distanceFilter)
    } else if distance < parameters.significantThreshold {
      enter(.significant, because: .significantTier, margin: distance)
    } else {
      let area = max(parameters.closeRegionMinimumDistance, distance * parameters.closeFactor)
      let regions = regions(near: fix.position, within: area, zones)
      // The phone is inside a region already, so the system would report no entry (S120).
      let isInside = regions.contains { fix.position.distance(to: $0.center) <= $0.radius }
      if isInside || regions.isEmpty {
        enter(.significant, because: .significantTier, margin: distance)
      } else {
        let timer = tier == .region && wishes.fences == regions ? wishes.timer : nil
        enter(.region, because: .regionTier, margin: distance)
        wishes.fences = regions
        wishes.timer =
          timer.flatMap { $0 > now ? $0 : nil } ?? now + parameters.closeRegionTimeout
      }
    }
  }

  private func regions(near position: Coordinate, within area: Distance, _ zones: Surroundings) -> [Fence] {
    let close = zones.nearestEdges(capabilities.fences, to: position).filter { $0.toEdge <= area }
    return close.map { zone in
      let circle = zones.enclosingCircleOfArea(zone.zone)
      let radius = max(
        circle.radius + parameters.significantThreshold, circle.radius * parameters.regionEnlargement)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center, radius: min(capabilities.largestFence, radius))
    }
  }

  private mutating func enter(_ next: Tier, because rule: WatchReason.Rule, margin: Distance? = nil) {
    tier = next
    reason = WatchReason(rule, margin: margin)
    wishes = PhoneWishes()
    wishes.significantChanges = next == .significant
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    if !isStarted { return .notWatched(.stopped) }
    return capabilities.authorized ? .bestEffort(.policyHasNoBound) : .notWatched(.notAuthorized)
  }
}
