import Geometry

/// One fix relative to one zone: all inputs of the alarm's rules, as plain numbers.
///
/// Distances are to the zone's effective edge (inset applied), negative inside. The rules need no geometry:
/// they depend on this value and the alarm's state alone, so that a stored record can be evaluated again.
/// `DeviceAlarms` collects the evidence for each zone that a fix can concern, and ``ZoneAlarm`` judges it.
public struct Evidence: Hashable, Sendable {
  /// The time for which the fix is judged: its own time, that of the later fix that released it from
  /// quarantine, or that of the edit, activation or opening that had the present position judged again.
  public var decidedAt: Instant
  public var measuredAt: Instant
  public var position: Coordinate
  public var distance: Distance
  /// Radius of the error disc, which holds the phone with the probability that the zone's assurance asks for;
  /// zero for an exact fix.
  public var error: Distance
  /// The accuracy that the phone states: the radius that holds it with a probability of 68 %.
  public var accuracy: Distance
  /// The distance at which the zone rings: the alert distance, or more where a lead time asks for it.
  public var level: Distance
  /// The greatest depth inside the zone, roughly: see `WatchedZones.reach(of:)`.
  public var reach: Distance
  /// The probability that the phone is within the level, by this fix and earlier ones; nil if the fix decides
  /// without it.
  public var likelihood: Likelihood?
  /// The path from the previous fix; nil where it cannot matter.
  public var way: Way?
  /// The phone's height with the zone's floor and ceiling; nil if the zone has neither or the fix no height.
  public var vertical: Vertical?
  /// True if the phone's fixes of the last two minutes show that it moves.
  public var isMoving = true
  /// True if the fix is quarantined: reaching it needs more than the allowed speed.
  public var isSuspect = false

  /// A height and the limits of a zone, all above sea level.
  public struct Vertical: Hashable, Sendable {
    public var height: Distance
    /// The greatest error assumed of `height` (``Altitude/certainError(radius:)``).
    public var error: Distance
    public var band: AltitudeBand

    public var side: AltitudeBand.Side { band.side(of: height, error: error) }

    /// - Parameter radius: the accuracy radius of the fix.
    init?(_ fix: Fix, radius: Distance, in band: AltitudeBand) {
      guard let altitude = fix.altitude else { return nil }
      self.init(height: altitude.height, error: altitude.certainError(radius: radius), band: band)
    }

    init(height: Distance, error: Distance, band: AltitudeBand) {
      self.height = height
      self.error = error
      self.band = band
    }
  }

  /// The probability of being inside, and the deviation from which it was computed.
  public struct Likelihood: Hashable, Sendable {
    /// 0 to 1 (``Probability``).
    public var inside: Double
    /// The standard deviation of the position along each axis.
    public var deviation: Distance
  }

  /// The straight path from the previous fix to this one.
  public struct Way: Hashable, Sendable {
    public var from: Instant
    public var fromDistance: Distance
    public var fromError: Distance
    /// The time at which the path first crossed `level` inwards, interpolated between the two fixes.
    public var enteredAt: Instant?
    /// The time at which the path last crossed `level` outwards, interpolated.
    public var leftAt: Instant?
    /// The least distance along the path; `closestAt` and `closestPosition` say when and where.
    public var closest: Distance
    /// The least distance along two parallel paths, offset to the left and right by the fixes' error: the
    /// larger of the two. If it is at most `level`, the path crossed the zone wherever in their error discs
    /// the true positions were.
    public var closestBeside: Distance
    public var closestAt: Instant
    public var closestPosition: Coordinate
  }

  /// The side of `level` on which the whole error disc lies; unsure if it lies on both.
  ///
  /// A phone surely above the zone's ceiling or below its floor is outside, wherever the disc lies.
  public var sighting: Sighting {
    if isOverOrUnder { return .outside }
    if distance + error <= level { return .inside }
    return distance - error > level ? .outside : .unsure
  }

  /// True if the phone is surely above the zone's ceiling or below its floor.
  public var isOverOrUnder: Bool { vertical.map { $0.side != .within } ?? false }

  /// True if the position is within a distance, and its height does not exclude that the phone is at the zone.
  func isWithin(_ level: Distance) -> Bool { distance <= level && !isOverOrUnder }

  /// True if the phone is beyond a distance by at least its error and the hysteresis, or surely above or
  /// below the zone.
  func isClear(of level: Distance) -> Bool { distance >= level + error + Rule.hysteresis || isOverOrUnder }

  /// The probability that the phone is within the level, 0 to 1.
  var probabilityInside: Double {
    switch sighting {
    case .inside: likelihood?.inside ?? 1
    case .outside: 0
    case .unsure: likelihood?.inside ?? (distance <= level ? 1 : 0)
    }
  }

  /// True if the error is small enough for the position itself to decide, without a probability.
  func isFine(_ assurance: Assurance) -> Bool {
    error <= (assurance == .safety ? Rule.fineError : max(Rule.fineError, reach * 0.5))
  }

  /// True if the phone counts as inside: a fine fix places it there, or a coarse one with at least 70 %.
  func isInside(_ assurance: Assurance) -> Bool {
    isWithin(level) && (isFine(assurance) || probabilityInside >= Rule.surely)
  }

  /// True if the phone may be approaching: it moves, and its position comes from satellites or Wi-Fi.
  ///
  /// Only then does a safety zone ring because being inside is merely not excluded. A position by the mobile
  /// network can be wrong by a mile.
  var mayBeComing: Bool { isMoving && accuracy <= SensorMemory.wifiAtMost }

  /// The least probability at which a coarse position rings aloud.
  func loud(_ assurance: Assurance) -> Double {
    assurance == .safety && !mayBeComing ? Rule.surely : Rule.loud(assurance)
  }

  /// True if being inside is practically excluded.
  func isExcluded(_ assurance: Assurance) -> Bool {
    if sighting != .unsure { return sighting == .outside }
    if isFine(assurance) { return assurance != .safety && distance > level }
    return probabilityInside < Rule.excluded(assurance)
  }
}

/// The side of a zone's level on which a fix lies.
public enum Sighting: UInt8, Hashable, Sendable {
  case inside, outside, unsure
}

/// The step from one accepted fix to the next.
struct Step {
  let fix: Fix
  let former: Fix?
  let decidedAt: Instant
  /// The time of the measurement or, if the position is judged again, the time of that.
  private(set) var measuredAt: Instant
  /// An upper bound of the length of the straight path between the two fixes; exact after `measure()`. Zero
  /// without a previous fix.
  private(set) var length: Distance
  private var isMeasured = false
  let gap: TimeSpan
  /// The accuracy radius of `fix` and of `former`.
  let radius: Distance
  let formerRadius: Distance
  /// The positions of the two fixes, in space; nil if they are not needed.
  let places: (from: Cartesian, to: Cartesian)?
  var isSuspect = false
  /// The movement up to `fix`; nil if none is shown, or if no zone has a lead time.
  var approach: Approach?

  /// A step without movement: the last position is judged again, as if it had been measured now.
  init(standingAt fix: Fix, decidedAt now: Instant, _ settings: Settings) {
    self.init(fix: fix, former: nil, decidedAt: now, settings, atMost: .zero, places: nil)
    measuredAt = now
  }

  /// - Parameter length: an upper bound of the length of the straight path.
  init(
    fix: Fix, former: Fix?, decidedAt: Instant, _ settings: Settings, atMost length: Distance,
    places: (from: Cartesian, to: Cartesian)?
  ) {
    self.fix = fix
    self.former = former
    self.decidedAt = decidedAt
    measuredAt = fix.measuredAt
    self.length = length
    gap = former.map { fix.measuredAt - $0.measuredAt } ?? .zero
    radius = fix.radius(settings)
    formerRadius = former?.radius(settings) ?? .zero
    self.places = places
  }

  /// Measures the length, unless that is done already.
  mutating func measure() {
    guard !isMeasured else { return }
    isMeasured = true
    length = former.map { $0.position.distance(to: fix.position) } ?? .zero
  }

}

extension WatchedZones {
  /// The distance from the fix beyond which the step can concern no zone.
  func farthest(_ step: Step, _ dangerMargin: Distance) -> Distance {
    let passing = step.gap <= Rule.passingGap ? step.length : .zero
    return farthestLevel(step) + step.radius * widestFactor + passing + max(Rule.hysteresis, dangerMargin)
  }

  /// The greatest distance at which any zone rings.
  func farthestLevel(_ step: Step) -> Distance {
    max(farthestAlert, (step.approach?.speed ?? .zero) * longestLead)
  }
}

// MARK: Collecting

extension Evidence {
  /// Collects everything that the rules use, for one zone and one step.
  ///
  /// - Parameters:
  ///   - step: its length is measured if it can matter.
  ///   - before: the distance from the step's beginning to the zone, if it is known.
  ///   - isMoving: see ``isMoving``.
  ///   - whole: measure all of the path, whether or not the alarm uses it.
  ///   - belief: returns the most likely position at a fix, by this fix and earlier ones.
  init(
    of zone: NearZone, after step: inout Step, from before: Distance?, in zones: WatchedZones,
    for alarm: ZoneAlarm, _ rules: ZoneRules, isMoving: Bool, whole: Bool, belief: (Fix) -> Belief
  ) {
    let distance = zone.distance
    let factor = Rule.errorFactor(rules.assurance)
    self.init(
      decidedAt: step.decidedAt, measuredAt: step.measuredAt, position: step.fix.position,
      distance: distance, error: step.radius * factor, accuracy: step.radius, level: rules.alertDistance,
      reach: zones.reach(of: zone.zone), likelihood: nil, way: nil, isMoving: isMoving,
      isSuspect: step.isSuspect)
    let band = zones.rules(of: zone.zone).band
    if let band { vertical = Vertical(step.fix, radius: step.radius, in: band) }
    weigh(zone.zone, step.fix, in: zones, rules, belief)
    guard let former = step.former else { return }
    if let band, let side = vertical?.side, side != .within,
      Vertical(former, radius: step.formerRadius, in: band)?.side == side
    {
      // A straight path between two heights above a ceiling lies entirely above it; likewise below a floor.
      return
    }
    if let lead = rules.leadTime,
      let predicted = step.approach?.level(of: zone.zone, at: distance, lead: lead, in: zones),
      predicted > level
    {
      level = predicted
      weigh(zone.zone, step.fix, in: zones, rules, belief)
    }
    if step.beginsBeyond(edge(of: alarm), from: distance) { return }
    let entry = zones.entry(of: zone.zone)
    let before = before ?? zones.distance(from: former.position, at: step.places?.from, to: zone.zone)
    let edge = edge(of: alarm)
    guard step.canCross(edge, from: before, to: distance) else { return }
    let wanted = whole ? .all : wayWanted(by: alarm, rules)
    if wanted == .nothing { return }
    step.measure()
    if wanted == .passing && !step.mayPass(entry, level: edge) { return }
    way = Way(
      along: step, from: former, to: entry, before: before, now: distance, level: edge,
      formerError: step.formerRadius * factor, error: error, wanted)
  }

  /// Computes the probability if the rules use it.
  private mutating func weigh(
    _ zone: ZoneSlot, _ fix: Fix, in zones: WatchedZones, _ rules: ZoneRules, _ belief: (Fix) -> Belief
  ) {
    guard sighting == .unsure, !isFine(rules.assurance) else { return }
    let belief = belief(fix)
    likelihood = Likelihood(
      inside: Self.probability(of: zone, belief, level: level, in: zones), deviation: belief.deviation)
  }

  /// The distance at which the alarm's state changes next.
  private func edge(of alarm: ZoneAlarm) -> Distance {
    guard case .ringing(let ringing) = alarm.phase, ringing.cause != .left else { return level }
    return ringing.clearLevel
  }

  /// The part of the path to a fix that the alarm uses.
  fileprivate enum WayWanted {
    case nothing
    /// The times of crossing the edge.
    case crossings
    /// All of it, if the path came as near as the level.
    case passing
    case all
  }

  /// Decides how much of the path to measure, by the evidence without it. Measuring all of it costs as much as hundreds
  /// of fixes that are far from all zones.
  private func wayWanted(by alarm: ZoneAlarm, _ rules: ZoneRules) -> WayWanted {
    switch alarm.phase {
    case .ringing(let ringing):
      if ringing.cause == .left {
        return rules.trigger.passingCounts && ringing.departure != nil ? .passing : .crossings
      }
      // The path to the first fix beyond the zone gives the time of leaving.
      return ringing.departure == nil && distance > ringing.clearLevel ? .crossings : .nothing
    case .present(let departure):
      return departure == nil && distance > level ? .crossings : .nothing
    case .dwelling where rules.trigger.ringsOnLeaving: return .nothing
    case .idle, .confirming, .dwelling:
      let verdict = alarm.judge(self, rules)
      if verdict.rings {
        // A dwell keeps the evidence for its explanation, so the path is measured completely.
        if case .dwell = rules.trigger { return .all }
        return .crossings
      }
      switch verdict {
      case .waitsForBetterFix, .waitsForSecondFix: return .all
      default:
        guard rules.trigger.passingCounts else { return .nothing }
        return .passing
      }
    }
  }
}

extension Step {
  /// True if `canCross` is false wherever the step began, so that the distance from its beginning need not be
  /// measured.
  fileprivate func beginsBeyond(_ level: Distance, from distance: Distance) -> Bool {
    // A metre and 0.1 % of the length are far more than the error of distances up to 1,000 km.
    distance < .kilometres(1000) && distance - length * 1.001 > level + .metres(1)
  }

  /// True if the straight path crosses the edge, or can: a distance changes by no more than the length of the
  /// movement.
  fileprivate mutating func canCross(_ level: Distance, from before: Distance, to now: Distance) -> Bool {
    if (before <= level) != (now <= level) { return true }
    guard now > level, (before + now - length) * 0.5 <= level else { return false }
    measure()
    return (before + now - length) * 0.5 <= level
  }

  /// True if the straight path may come as near as `level` to a zone, by bounds alone.
  fileprivate func mayPass(_ zone: OutlineIndex.Entry, level: Distance) -> Bool {
    guard let places else { return true }
    return zone.outline.mayBeReached(
      from: places.from, to: places.to, length: length, level: level + .metres(0.01) - zone.inset)
  }
}

extension Evidence.Way {
  /// Measures the straight path to a zone.
  ///
  /// - Parameters:
  ///   - before: the distance from the path's beginning to the zone, and `now` the one from its end.
  ///   - level: the distance whose crossings count.
  fileprivate init(
    along step: Step, from former: Fix, to zone: OutlineIndex.Entry, before: Distance, now: Distance,
    level: Distance,
    formerError: Distance, error: Distance, _ wanted: Evidence.WayWanted
  ) {
    let (outline, inset) = (zone.outline, zone.inset)
    let passage: Passage
    if wanted != .crossings {
      passage = outline.passage(
        from: former.position, to: step.fix.position, level: level - inset)
    } else {
      // Only the crossings are used, so the nearer end of the path stands for its closest point.
      passage = Passage(
        crossings: outline.crossings(
          from: former.position, to: step.fix.position, level: level - inset),
        closest: min(before, now) - inset, closestAt: before < now ? .zero : step.length)
    }
    func time(_ along: Distance) -> Instant {
      guard step.length > .zero else { return step.fix.measuredAt }
      let share = max(0, min(1, along.metres / step.length.metres))
      return former.measuredAt + .seconds(step.gap.seconds * share)
    }
    var entered: Instant?
    var left: Instant?
    for crossing in passage.crossings {
      if crossing.inward {
        if entered == nil { entered = time(crossing.along) }
      } else {
        left = time(crossing.along)
      }
    }
    let closest = passage.closest + inset
    self.init(
      from: former.measuredAt, fromDistance: before, fromError: formerError, enteredAt: entered, leftAt: left,
      closest: closest, closestBeside: closest, closestAt: time(passage.closestAt),
      closestPosition: before < now ? former.position : step.fix.position)
    if wanted == .crossings { return }
    let path = Geodesic(from: former.position, to: step.fix.position)
    closestPosition = step.length > .zero ? path.point(at: passage.closestAt) : step.fix.position
    if closest <= level, before > level, entered != nil {
      closestBeside = Self.closestBeside(path, by: max(formerError, error), zone, closest, level)
    }
  }

  /// The larger of the least distances along two parallel paths, `error` to the left and to the right.
  private static func closestBeside(
    _ path: Geodesic, by error: Distance, _ zone: OutlineIndex.Entry, _ closest: Distance, _ level: Distance
  ) -> Distance {
    guard error > .zero, path.length > .zero else { return closest }
    var worst = closest
    for side in [-90.0, 90] {
      let from = Geodesic.destination(
        from: path.start, azimuth: .degrees(path.azimuthAtStart.degrees + side), distance: error)
      let to = Geodesic.destination(
        from: path.end, azimuth: .degrees(path.azimuthAtEnd.degrees + side), distance: error)
      let passage = zone.outline.passage(from: from, to: to, level: level - zone.inset)
      worst = max(worst, passage.closest + zone.inset)
    }
    return worst
  }
}
