import AlarmEngine
import Geometry

/// The true visits to the zones along a journey; no policy ever sees them.
public struct GroundTruth: Sendable {
  /// A visit: the time near a zone's line, from the first step within `Rules.rearmAt` of it until the phone
  /// is farther away again. It leads into a zone that rings on entering, and out of one that rings on
  /// leaving.
  public struct Visit: Hashable, Sendable {
    public let zone: ZoneID
    /// First and last moment beyond the line at which the zone rings. For a visit that only comes near, both
    /// are the time of its nearest point. For a zone that rings after a stay, `entry` is the end of that
    /// stay.
    public let entry: Instant
    public let exit: Instant
    /// First and last moment in the zone grown by `Rules.error`: an alarm between them is not false.
    public let near: ClosedRange<Instant>
    /// First and last moment within `Rules.rearmAt` of the line (of a zone that rings on leaving, within
    /// `Rules.error`): a second alarm between them repeats the first.
    public let around: ClosedRange<Instant>
    /// The part of the stay before `entry`; zero unless the zone rings after a stay, or a time outside.
    public let dwell: TimeSpan
    /// How long the phone was certainly inside before it left; nil unless the zone rings on leaving. A phone
    /// that began outside has not left the zone.
    public let inside: TimeSpan?
    /// The motion at the entry.
    public fileprivate(set) var motion: Journey.Motion
    /// True if an alarm is owed: the phone was deep enough inside for long enough, and the truth about the
    /// entry and the time after it is known.
    public fileprivate(set) var isOwed: Bool
    /// The time within the line, in seconds.
    public var stay: Double { (exit - entry).seconds }
  }

  /// The evaluation protocol's numbers.
  public struct Rules: Hashable, Sendable {
    /// The error of the truth in metres, 95 times in 100: 15 for a fix each second, 30 for fewer.
    public var error = 15.0
    /// The least number of seconds, `error` inside the line, before an alarm is owed.
    public var owedAfter = 10.0
    /// Metres from the line at which a visit is over.
    public var rearmAt = 200.0
    /// Seconds without a fix from which on a track's truth is unknown.
    public var longestGap = 60.0
    public init() {}

    /// Rules for a track, by its rate: fixes come each second if the median step is at most 1.5 s.
    public init(for track: [Fix]) {
      let times = track.map(\.measuredAt).sorted()
      let steps = zip(times, times.dropFirst()).map { ($1 - $0).seconds }.sorted()
      guard !steps.isEmpty, steps[steps.count / 2] <= 1.5 else {
        error = 30
        return
      }
    }
  }

  public let visits: [Visit]
  /// From the journey's start to its end.
  public let span: ClosedRange<Instant>
  /// Stretches of the journey for which the truth is unknown.
  public let gaps: [ClosedRange<Instant>]
  public let rules: Rules

  /// - Parameters:
  ///   - settings: the settings of the timeline under test; they hold the default radius.
  ///   - gaps: stretches without known truth; no alarm is owed if one touches the time that is scored.
  ///   - additions: the times at which zones are added; the others are there from the start.
  ///   - clock: the settings of the phone's clock, by which schedules open.
  ///   - silences: stretches without any signal, so that no phone can know its position; no alarm is owed if
  ///     one contains the whole time in which it is due.
  /// - Complexity: per zone, one step for 64 of the journey's vertices as long as the zone is far away.
  public init(
    _ journey: Journey, zones: [Zone], settings: Settings = .phone, gaps: [ClosedRange<Instant>] = [],
    additions: [ZoneID: Instant] = [:], clock: ClockSettings = ClockSettings(),
    silences: [ClosedRange<Instant>] = [], rules: Rules = Rules()
  ) {
    self.gaps = gaps
    self.rules = rules
    span = journey.start...journey.end
    var visits: [Visit] = []
    for zone in zones {
      guard zone.active, let line = AlarmLine(zone, settings: settings) else { continue }
      var search = VisitSearch(zone: zone, rules: rules)
      let duty = Duty(since: additions[zone.id], schedule: zone.schedule, clock: clock)
      var wasOn = false
      journey.walk(past: line, finest: .seconds(1), stopping: duty.change(after:)) { time, distance in
        let isOn = duty.isOn(at: time)
        if isOn || wasOn { search.step(time, distance) }
        if !isOn { search.goOffDuty() }
        wasOn = isOn
      }
      search.end()
      visits += search.visits
    }
    for index in visits.indices {
      let entry = visits[index].entry
      let due = min(visits[index].exit + .seconds(30), entry + .seconds(120))
      let scored = (entry - .seconds(60))...due
      visits[index].motion = journey.motion(at: entry)
      if entry <= journey.start || gaps.contains(where: { $0.overlaps(scored) })
        || silences.contains(where: { $0.contains(entry) && $0.contains(due) })
      {
        visits[index].isOwed = false
      }
    }
    self.visits = visits.sorted { ($0.entry, $0.zone) < ($1.entry, $1.zone) }
  }

  public func isKnown(_ time: Instant) -> Bool { !gaps.contains { $0.contains(time) } }

  /// True if the truth of a whole stretch is known: it lies within the journey, and no gap touches it.
  func isKnown(_ stretch: ClosedRange<Instant>) -> Bool {
    span.lowerBound <= stretch.lowerBound && stretch.upperBound <= span.upperBound
      && !gaps.contains { $0.overlaps(stretch) }
  }

  /// The stretches between fixes that are farther apart in time than `rules` allow.
  public static func gaps(in track: [Fix], rules: Rules = Rules()) -> [ClosedRange<Instant>] {
    let times = track.map(\.measuredAt).sorted()
    return zip(times, times.dropFirst()).filter { ($1 - $0).seconds > rules.longestGap }.map { $0...$1 }
  }
}

/// The line at which a zone rings: its effective edge, grown by its alert distance. The zone rings beyond the
/// line: inside, or, for a zone that rings on leaving, outside.
struct AlarmLine {
  private let outline: Outline
  private let shift: Distance
  private let isLeft: Bool

  init?(_ zone: Zone, settings: Settings) {
    guard let shape = try? zone.shape(defaultRadius: settings.defaultRadius) else { return nil }
    outline = Outline(shape)
    shift = zone.inset - max(.zero, zone.alertDistance)
    isLeft = zone.trigger.kind == .leave
  }

  /// Metres by which an alarm of the zone may be early when it rings without waiting for a better fix: twice
  /// the error it accepts, which is 30 m or half the radius (theorem 1, corollary 3). A safety zone accepts
  /// any error.
  var earliness: Double {
    guard case .circle(_, let radius) = outline.shape, !isLeft else { return 60 }
    return max(60, (radius - shift).metres)
  }

  /// Metres, negative beyond the line.
  func distance(from place: Coordinate) -> Double {
    let within = (outline.signedDistance(from: place) + shift).metres
    return isLeft ? -within : within
  }
}

extension Journey {
  /// Calls `visit` with the signed distance to a line, in order of time. Between two calls the phone moves no
  /// farther than its distance from the line, or than it moves in the finest step.
  ///
  /// - Parameter change: the next time, after one, at which to call `visit` in any case.
  func walk(
    past line: AlarmLine, finest: TimeSpan, stopping change: (Instant) -> Instant?,
    _ visit: (Instant, Double) -> Void
  ) {
    var time = start
    while time < end {
      let distance = line.distance(from: position(at: time))
      visit(time, distance)
      let place = span(at: time) ?? 0
      let block = place / Self.blockLength
      let limit = vertices[min((block + 1) * Self.blockLength, vertices.count - 1)].time
      let speed = blockSpeeds[block]
      // Within 250 m of the line every step counts, because visits end there.
      let free = max(0, abs(distance) - 250)
      guard speed > 0 else {
        // A phone at rest: one call at the beginning and one at the end.
        let next = max(limit, time + finest)
        time = min(next, change(time) ?? next)
        continue
      }
      let next = min(max(time + .seconds(min(free / speed, 1e8)), time + finest), max(limit, time + finest))
      time = min(next, change(time) ?? next)
    }
    visit(end, line.distance(from: position(at: end)))
  }
}

/// The times at which a zone may ring.
private struct Duty {
  /// The time at which the zone is added; nil for one that is there from the start.
  let since: Instant?
  let schedule: Schedule?
  let clock: ClockSettings

  func isOn(at time: Instant) -> Bool {
    since.map { $0 <= time } ?? true && schedule?.isOpen(at: time + clock.error(at: time)) ?? true
  }

  /// The next time after `time` at which that may change.
  func change(after time: Instant) -> Instant? {
    let error = clock.error(at: time)
    let opening = schedule?.nextChange(after: time + error).map { $0 - error }
    return [opening, since.flatMap { $0 > time ? $0 : nil }, clock.next(after: time)].compactMap { $0 }.min()
  }
}

/// Joins the passages of one zone into visits.
private struct VisitSearch {
  let zone: ZoneID
  let rules: GroundTruth.Rules
  /// Metres before the line at which a visit is over.
  private let rearmAt: Double
  /// Seconds of stay before the zone rings.
  private let dwell: Double
  private let isLeft: Bool
  var visits: [GroundTruth.Visit] = []
  private var around: (first: Instant, last: Instant)?
  private var near: (first: Instant, last: Instant)?
  private var within: (first: Instant, last: Instant)?
  private var closest: (distance: Double, time: Instant)?
  private var deepSince: Instant?
  private var isOwed = false
  /// The first and the last moment of the phone's last stay far from the line, on the side that does not ring.
  private var away: (first: Instant, last: Instant)?

  init(zone: Zone, rules: GroundTruth.Rules) {
    self.zone = zone.id
    self.rules = rules
    isLeft = zone.trigger.kind == .leave
    switch zone.trigger {
    case .enter, .enterAndLeave: (rearmAt, dwell) = (rules.rearmAt, 0)
    // A phone that is certainly back in the zone can leave it again.
    case .leave(let span): (rearmAt, dwell) = (rules.error, span.seconds)
    case .dwell(let span): (rearmAt, dwell) = (rules.rearmAt, span.seconds)
    }
  }

  mutating func step(_ time: Instant, _ distance: Double) {
    if distance > rearmAt {
      end()
      away = (away?.first ?? time, time)
      return
    }
    around = (around?.first ?? time, time)
    if distance <= rules.error { near = (near?.first ?? time, time) }
    if distance <= 0 { within = (within?.first ?? time, time) }
    if distance < closest?.distance ?? .infinity { closest = (distance, time) }
    guard distance <= -rules.error else {
      deepSince = nil
      return
    }
    let since = deepSince ?? time
    deepSince = since
    if (time - since).seconds >= dwell + rules.owedAfter { isOwed = true }
  }

  /// Ends the visit: a phone that is in the zone when its duty begins enters it then.
  mutating func goOffDuty() {
    end()
    away = nil
  }

  mutating func end() {
    if let around, let near, let closest {
      let exit = within?.last ?? closest.time
      let entry = min((within?.first ?? closest.time) + .seconds(dwell), exit)
      let beginsNear = dwell > 0 ? min(entry, near.last) : near.first
      let inside = isLeft ? away.map { $0.last - $0.first } ?? .zero : nil
      visits.append(
        GroundTruth.Visit(
          zone: zone, entry: entry, exit: exit, near: beginsNear...near.last,
          around: around.first...around.last, dwell: .seconds(dwell), inside: inside, motion: .still,
          isOwed: isOwed && inside.map { $0.seconds >= rules.owedAfter } ?? true))
      away = nil
    }
    (around, near, within, closest, deepSince, isOwed) = (nil, nil, nil, nil, nil, false)
  }
}
