import Geometry

/// Monitors regions around the nearest zones, or uses continuous updates if more zones are near than the
/// phone has regions (S195-S198, S217-S220).
public struct NearestRegionsWatch: WatchDecisions, Hashable {
  public struct Parameters: Hashable, Sendable {
    /// The least radius of a region; reminders come 100 to 200 m before the shop (S219).
    public var smallestRegion = Distance.metres(150)
    /// The policy falls back to tracking if more zones than regions are within this distance. Our choice.
    public var crowdedWithin = Distance.metres(5000)
    /// The accuracy while tracking. Our choice.
    public var accuracy = DesiredAccuracy.tenMetres
    /// The distance between two updates while tracking. Our choice.
    public var distanceFilter = Distance.metres(50)
    /// The time allowed for the fix that is requested when a region is entered or left.
    public var fixWithin = TimeSpan.seconds(30)
    public init() {}
  }

  public let parameters: Parameters
  public private(set) var reason = WatchReason(.notStarted)
  private var capabilities = Capabilities.suspended
  private var isStarted = false
  private var wishes = PhoneWishes()
  private var told: PhoneWishes?

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    if case .started = event {} else if !isStarted { return [] }
    if case .timer = event { told?.timer = nil }
    if case .clockJumped = event { told?.timer = nil }
    var asks = false
    switch event {
    case .started(_, let capabilities, let lastKnown):
      self = Self(parameters: parameters)
      self.capabilities = capabilities
      isStarted = true
      if let lastKnown { choose(lastKnown.position, zones) }
      asks = true
    case .stopped:
      isStarted = false
      rest(.notStarted)
    case .fix(let fix), .significantChange(let fix): choose(fix.position, zones)
    case .fenceEntered, .fenceExited, .zonesChanged, .timer, .cameToForeground, .clockJumped: asks = true
    case .capabilitiesChanged(let capabilities):
      self.capabilities = capabilities
      asks = true
    case .fenceFailed(let id):
      // If the system refuses a region, the policy falls back to tracking.
      wishes.fences = wishes.fences.filter { $0.id != id }
      capabilities.fences = max(0, min(capabilities.fences - 1, wishes.fences.count))
      track(margin: nil)
    case .fixFailed, .fenceState, .visitArrived, .visitDeparted, .motion, .wentToBackground, .willTerminate:
      break
    }
    if isStarted { asks = isOnDuty(zones) && asks && wishes.session == nil }
    var commands = wishes.commands(since: told)
    told = isStarted ? wishes : nil
    if asks { commands.append(.requestFix(.best, within: parameters.fixWithin)) }
    return commands
  }

  private mutating func isOnDuty(_ zones: Surroundings) -> Bool {
    if !capabilities.authorized {
      rest(.mayNotWatch)
    } else if !zones.hasWatchedZones {
      rest(.nothingToWatch)
      wishes.timer = zones.nextScheduleChange
    } else {
      if reason.rule == .notStarted || reason.rule == .nothingToWatch || reason.rule == .mayNotWatch {
        reason = WatchReason(.waitsForFirstFix)
      }
      wishes.timer = nil
      wishes.significantChanges = capabilities.significantChanges
      return true
    }
    return false
  }

  private mutating func rest(_ rule: WatchReason.Rule) {
    reason = WatchReason(rule)
    wishes = PhoneWishes()
  }

  private mutating func choose(_ position: Coordinate, _ zones: Surroundings) {
    guard isOnDuty(zones) else { return }
    let near = zones.nearest(capabilities.fences + 1, to: position)
    let isCrowded =
      near.count > capabilities.fences && near[capabilities.fences].toAlert <= parameters.crowdedWithin
    guard capabilities.fences > 0, !isCrowded else {
      wishes.fences = []
      return track(margin: near.first?.toAlert)
    }
    wishes.session = nil
    wishes.fences = near.prefix(capabilities.fences).map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(capabilities.largestFence, max(parameters.smallestRegion, circle.radius)))
    }.sorted { $0.id < $1.id }
    reason = WatchReason(.nearestZonesFenced, margin: near.first?.toAlert)
  }

  private mutating func track(margin: Distance?) {
    wishes.session = Session(accuracy: parameters.accuracy, distanceFilter: parameters.distanceFilter)
    reason = WatchReason(.fallsBackToTracking, margin: margin)
  }

  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    if !isStarted { return .notWatched(.stopped) }
    return capabilities.authorized ? .bestEffort(.policyHasNoBound) : .notWatched(.notAuthorized)
  }
}
