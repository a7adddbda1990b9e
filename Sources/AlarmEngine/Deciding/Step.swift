import Geometry

/// From one accepted fix to the next.
struct Step {
  let fix: Fix
  let former: Fix?
  let decidedAt: Instant
  /// Metres, seconds: of the straight way.
  let length: Double
  let gap: TimeSpan
  /// The accuracy radius of `fix` and of `former`, metres.
  let radius: Double
  let formerRadius: Double
  /// Where it began and ended, in space; nil where that was not asked.
  var places: (from: Cartesian, to: Cartesian)?

  init(fix: Fix, former: Fix?, decidedAt: Instant, settings: Settings) {
    self.init(
      fix: fix, former: former, decidedAt: decidedAt, settings: settings,
      length: former.map { $0.position.distance(to: fix.position).metres } ?? 0)
  }

  /// - Parameter length: zero without a former fix.
  init(fix: Fix, former: Fix?, decidedAt: Instant, settings: Settings, length: Double) {
    self.fix = fix
    self.former = former
    self.decidedAt = decidedAt
    self.length = length
    gap = former.map { fix.measuredAt - $0.measuredAt } ?? .zero
    radius = fix.radius(settings)
    formerRadius = former?.radius(settings) ?? 0
  }

  /// Metres a second along the straight way; zero without a former fix or where it is too old to say.
  var speed: Double {
    gap > .zero && gap <= Rule.passingGap ? length / gap.seconds : 0
  }
}

extension DeviceAlarms {
  /// Everything the rules look at, for one zone and one step.
  ///
  /// - Parameter whole: with all of the way, whether or not the zone's alarm looks at it.
  func evidence(of zone: Int, distance: Double, _ step: Step, whole: Bool) -> Evidence {
    let rules = zones.rules[zone]
    let factor = Rule.errorFactor(rules.assurance)
    var evidence = Evidence(
      decidedAt: step.decidedAt, measuredAt: step.fix.measuredAt, position: step.fix.position,
      distance: distance, error: factor * step.radius, accuracy: step.radius, level: rules.alertDistance,
      reach: zones.reach(of: zone), way: nil)
    guard let former = step.former else { return evidence }
    let alarm = alarms[zone] ?? ZoneAlarm()
    let lead = step.speed > 0 && rules.trigger != .leave ? zones.zones[zone].leadTime : nil
    if lead == nil, isBeyond(alarm.edge(default: evidence.level), distance, step) { return evidence }
    let before = distances[zone] ?? zones.index.distance(from: former.position, to: zone).metres
    if let lead {
      let closing = max(0, (before - distance) / step.gap.seconds)
      evidence.level = max(evidence.level, closing * lead.seconds)
    }
    let level = alarm.edge(default: evidence.level)
    guard needsWay(before: before, now: distance, level: level, length: step.length) else { return evidence }
    let wanted = whole ? .all : alarm.wayWanted(for: evidence, self.rules(of: zone))
    if wanted == .nothing || wanted == .passing && !mayPass(zone, level, step) { return evidence }
    evidence.way = way(
      to: zone, from: former, before: before, formerError: factor * step.formerRadius, level: level, step,
      now: distance, wanted)
    return evidence
  }

  private func mayPass(_ zone: Int, _ level: Double, _ step: Step) -> Bool {
    guard let places = step.places else { return true }
    let entry = zones.index.entries[zone]
    return entry.outline.mayBeReached(
      from: places.from, to: places.to, length: .metres(step.length),
      level: .metres(level + 0.01) - entry.inset)
  }

  /// Wherever within its length the step began, `needsWay` would say no: the distance from there need not be known.
  private func isBeyond(_ level: Double, _ distance: Double, _ step: Step) -> Bool {
    // A metre and a share of the length are far more than distances are measured wrong, up to 1,000 km.
    distance < 1e6 && distance - step.length * 1.001 > level + 1
  }

  /// The straight way matters when it crosses the edge, or can: a distance changes by no more than one moves.
  private func needsWay(before: Double, now: Double, level: Double, length: Double) -> Bool {
    if (before <= level) != (now <= level) { return true }
    return now > level && (before + now - length) / 2 <= level
  }

  private func way(
    to zone: Int, from former: Fix, before: Double, formerError: Double, level: Double, _ step: Step,
    now: Double, _ wanted: ZoneAlarm.WayWanted
  ) -> Evidence.Way {
    let outline = zones.index.entries[zone].outline
    let inset = zones.index.entries[zone].inset
    let passage: Passage
    if wanted != .crossings {
      passage = outline.passage(
        from: former.position, to: step.fix.position, level: .metres(level) - inset)
    } else {
      // Nobody looks at how near the way came; its ends are as good as any place on it.
      passage = Passage(
        crossings: outline.crossings(
          from: former.position, to: step.fix.position, level: .metres(level) - inset),
        closest: .metres(min(before, now)) - inset, closestAt: .metres(before < now ? 0 : step.length))
    }
    func time(_ along: Distance) -> Instant {
      guard step.length > 0 else { return step.fix.measuredAt }
      let share = max(0, min(1, along.metres / step.length))
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
    let closest = (passage.closest + inset).metres
    if wanted == .crossings {
      return Evidence.Way(
        from: former.measuredAt, fromDistance: before, fromError: formerError, enteredAt: entered,
        leftAt: left, closest: closest, closestBeside: closest, closestAt: time(passage.closestAt),
        closestPosition: before < now ? former.position : step.fix.position)
    }
    let error = max(formerError, Rule.errorFactor(zones.rules[zone].assurance) * step.radius)
    let passes = closest <= level && before > level && entered != nil
    let geodesic = Geodesic(from: former.position, to: step.fix.position)
    return Evidence.Way(
      from: former.measuredAt, fromDistance: before, fromError: formerError, enteredAt: entered, leftAt: left,
      closest: closest,
      closestBeside: passes ? closestBeside(geodesic, by: error, outline, inset, closest, level) : closest,
      closestAt: time(passage.closestAt),
      closestPosition: step.length > 0 ? geodesic.point(at: passage.closestAt) : step.fix.position)
  }

  /// The worse of the two ways that run `error` metres to the left and to the right.
  private func closestBeside(
    _ way: Geodesic, by error: Double, _ outline: Outline, _ inset: Distance, _ closest: Double,
    _ level: Double
  ) -> Double {
    guard error > 0, way.length > .zero else { return closest }
    var worst = closest
    for side in [-90.0, 90] {
      let from = Geodesic.destination(
        from: way.start, azimuth: .degrees(way.azimuthAtStart.degrees + side), distance: .metres(error))
      let to = Geodesic.destination(
        from: way.end, azimuth: .degrees(way.azimuthAtEnd.degrees + side), distance: .metres(error))
      let passage = outline.passage(from: from, to: to, level: .metres(level) - inset)
      worst = max(worst, (passage.closest + inset).metres)
    }
    return worst
  }
}

extension ZoneAlarm {
  /// The distance at which this alarm's next change would happen.
  func edge(default level: Double) -> Double {
    guard case .ringing(let ringing) = phase, ringing.cause != .left else { return level }
    return ringing.clearLevel
  }
}
