import Geometry

/// Decides what to ask the phone next: a value, told events, answering with commands.
///
/// It never decides whether an alarm rings: fixes go to the ``Timeline``, and a policy sees them afterwards with
/// the zones as they then stand.
public protocol WatchDecisions: Sendable {
  /// - Parameter zones: the zones as they stand after the event was taken into account.
  mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand]
  /// Why the last commands were given.
  var reason: WatchReason { get }
}

/// Why a policy asked for what it asked.
public struct WatchReason: Hashable, Sendable {
  public enum Rule: UInt8, Hashable, Sendable {
    case notStarted, nothingToWatch, mayNotWatch
    case waitsForFirstFix, sleepsUntilBudgetIsSpent, followsContinuously, confirms, parkedInsideFence
    case insideMovementFence, keepsSessionInRing, retriesWithoutFix
    case standardTier, significantTier, regionTier, fenceTier, pollsFence, fallsBackToTracking
  }
  public var rule: Rule
  /// Metres to the nearest edge that count for this decision, where there are any.
  public var margin: Double?
  /// When the next fix is due at the latest, where there is a deadline.
  public var due: Instant?
  public init(_ rule: Rule, margin: Double? = nil, due: Instant? = nil) {
    self.rule = rule
    self.margin = margin
    self.due = due
  }
}

/// The zones of a device as a watch policy needs them.
public struct Surroundings: Sendable {
  public struct Nearby: Hashable, Sendable {
    /// Position in the order of urgency.
    public let zone: Int
    public let id: ZoneID
    /// Metres to the line at which it rings (inset and alert distance applied), negative within.
    public let toAlert: Double
    /// Metres to the effective edge.
    public let toEdge: Double
    public let assurance: Assurance
    /// The phone is known to be at the zone: its alarm rings, sleeps, dwells or waits for leaving.
    public let isAt: Bool
    /// An edge crossed outwards matters: a leave zone, or an alarm to be cleared.
    public let watchesExit: Bool
  }

  let zones: WatchedZones
  let alarms: [Int: ZoneAlarm]
  let armed: Bool
  let now: Instant
  /// A better fix would settle something at once: a confirmation, a suspect, a way out.
  public let wantsFix: Bool

  /// On duty: armed, active, within its schedule, and not acknowledged or asleep for the time being.
  public func isWatched(_ zone: Int) -> Bool {
    guard armed, zones.zones[zone].active else { return false }
    if let schedule = zones.zones[zone].schedule, !schedule.isOpen(at: now) { return false }
    return true
  }

  /// The next time at which a zone's schedule opens or closes.
  public var nextScheduleChange: Instant? {
    zones.zones.compactMap { $0.active ? $0.schedule?.nextChange(after: now) : nil }.min()
  }

  public var count: Int { zones.zones.count }
  public var hasWatchedZones: Bool { zones.zones.indices.contains { isWatched($0) } }

  /// The watched zones nearest by distance to their alert line, at most `k` of them, nearest first.
  public func nearest(_ k: Int, to position: Coordinate) -> [Nearby] {
    var wanted = max(8, k)
    while true {
      let found = zones.index.nearest(wanted, to: position)
      let watched = found.filter { isWatched($0.zone) }.map { nearby($0) }
        .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
      // A zone not yet found is at least this far from its alert line.
      let bound = (found.last?.distance.metres ?? 0) - zones.farthestAlert
      if found.count < wanted || (watched.count >= k && watched[k - 1].toAlert <= bound) {
        return Array(watched.prefix(k))
      }
      wanted *= 2
    }
  }

  /// All watched zones whose alert line is within `radius` metres, nearest first.
  public func within(_ radius: Double, of position: Coordinate) -> [Nearby] {
    zones.index.within(.metres(radius + zones.farthestAlert), of: position)
      .filter { isWatched($0.zone) }.map { nearby($0) }.filter { $0.toAlert <= radius }
      .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
  }

  /// A circle that contains the zone with its alert distance: centre and metres.
  public func enclosingCircle(of zone: Int) -> (center: Coordinate, radius: Double) {
    let circle = zones.index.entries[zone].outline.boundingCircle
    let grown = circle.radius.metres - zones.zones[zone].inset.metres + zones.rules[zone].alertDistance
    return (circle.center, max(0, grown))
  }

  /// Roughly how far inside the zone one can get, metres.
  public func reach(of zone: Int) -> Double { zones.reach(of: zone) }

  private func nearby(_ neighbour: ZoneIndex.Neighbour) -> Nearby {
    let zone = neighbour.zone
    let alarm = alarms[zone] ?? ZoneAlarm()
    let isAt: Bool
    switch alarm.phase {
    case .ringing, .dwelling, .present: isAt = true
    case .idle, .confirming: isAt = false
    }
    return Nearby(
      zone: zone, id: zones.zones[zone].id,
      toAlert: neighbour.distance.metres - zones.rules[zone].alertDistance,
      toEdge: neighbour.distance.metres, assurance: zones.rules[zone].assurance, isAt: isAt,
      watchesExit: isAt)
  }
}
