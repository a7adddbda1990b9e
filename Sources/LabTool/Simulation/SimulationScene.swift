import AlarmEngine
import CommandLineSupport
import CoreLocationWatch
import Geometry
import PhoneSimulator
import StreetMap

/// A section of one trial for the page's map: the phone's path, its fixes, and the requests to it.
///
/// Places are decimetres east and south of the scene's middle, times are tenths of seconds from its start.
struct SimulationScene: Sendable {
  var title: String
  var command = ""
  private let middle: Coordinate
  let began: Instant
  /// The scene's duration, in tenths of seconds.
  let length: Int
  /// The start of the visit, or the false alarm, in tenths of seconds.
  let moment: Int
  var truth: [[Int]] = []
  /// Time, place, accuracy in metres.
  var fixes: [[Int]] = []
  var states: [State] = []
  var fences: [(time: Int, circles: [[Int]])] = []
  var zones: [Place] = []
  var alarms: [(time: Int, zone: String, words: String)] = []
  var visits: [(from: Int, to: Int, zone: String)] = []
  var streets: ReportStreets?

  struct State: Sendable, Equatable {
    var time: Int
    var rule: String
    var session: String
    /// The time at which the next fix is due.
    var due: Int?
  }
  struct Place: Sendable {
    let name: String
    /// The centre, radius and alert line of a circle; nil for a zone made of rings.
    let circle: [Int]?
    let rings: [[Int]]
  }

  private static let before = TimeSpan.minutes(20)
  private static let after = TimeSpan.minutes(8)
  private static let longest = TimeSpan.hours(2)
  private static let mostFixes = 700
  private static let mostTruth = 500
  private static let mostZones = 60
  /// Zones are shown within this many metres of the path.
  private static let surroundings = 3000.0

  /// The limit of streets below one scene, in bytes; a page has some twenty scenes.
  private static let mostStreets = 120_000
  /// Streets extend this many metres beyond the path.
  private static let streetMargin = 300.0

  /// Runs the trial again, and returns a scene for each reason; nil for a bound, which has no phone.
  static func scenes(
    of entry: SimulationRun.Entry, in run: SimulationRun, showing reasons: [SimulationScenes.Reason],
    streets: TileArchive? = nil
  ) -> [SimulationScene?] {
    guard let trial = JournaledTrial(entry, in: run) else { return reasons.map { _ in nil } }
    return reasons.map { reason in
      var scene = SimulationScene(
        reason, entry: entry, course: trial.course, journal: trial.journal, log: trial.log,
        raised: trial.raised)
      if let streets { scene.draw(streets) }
      return scene
    }
  }

  private init(
    _ reason: SimulationScenes.Reason, entry: SimulationRun.Entry, course: Trial.Case, journal: SceneJournal,
    log: EventLog, raised: [TrialRecord.Alarm]
  ) {
    let names = Dictionary(
      course.zones.map { ($0.id, displayName($0.name)) }, uniquingKeysWith: { first, _ in first })
    let (zone, focus, last, what) = Self.focus(reason, raised)
    title =
      "\(course.name): \(entry.subject.policy) on \(entry.subject.host), \(names[zone] ?? "zone"), \(what)"
    let start = max(course.journey.start, focus - Self.before)
    let end = min(course.journey.end, min(last + Self.after, start + Self.longest))
    began = start
    length = Int((end - start).seconds * 10)
    moment = Int((focus - start).seconds * 10)
    middle = course.journey.position(at: focus)
    let map = MapProjection(center: middle)
    func point(_ place: Coordinate) -> [Int] {
      let drawn = map.point(place)
      return [Int((drawn.x * 10).rounded()), Int((drawn.y * 10).rounded())]
    }
    func tenths(_ time: Instant) -> Int { Int((time - start).seconds * 10) }

    let steps = Self.mostTruth
    truth = (0...steps).map { step in
      let time = start + .seconds((end - start).seconds * Double(step) / Double(steps))
      return [tenths(time)] + point(course.journey.position(at: time))
    }
    let measured = log.compactMap { entry -> [Int]? in
      guard case .fix(let place, let accuracy, let time, _) = entry.occurrence, time >= start, time <= end
      else { return nil }
      return [tenths(time)] + point(place) + [Int(accuracy.rounded())]
    }
    let stride = max(1, (measured.count + Self.mostFixes - 1) / Self.mostFixes)
    fixes = measured.indices.filter { $0 % stride == 0 }.map { measured[$0] }
    follow(journal, from: start, to: end, tenths: tenths, point: point)
    let way = truth.indices.filter { $0 % 20 == 0 }.map { step in
      course.journey.position(at: start + .seconds(Double(truth[step][0]) / 10))
    }
    zones = Self.places(course.zones, near: way, point: point)
    alarms = raised.filter { $0.raisedAt >= start && $0.raisedAt <= end }.map {
      (tenths($0.raisedAt), names[$0.zone] ?? "zone", words($0.cause))
    }
    visits = course.truth.visits.filter { $0.isOwed && $0.entry <= end && $0.exit >= start }.map {
      (max(0, tenths($0.entry)), min(length, tenths($0.exit)), names[$0.zone] ?? "zone")
    }
  }

  private mutating func draw(_ archive: TileArchive) {
    let way = truth.map { DrawnPoint(x: Double($0[1]) / 10, y: Double($0[2]) / 10) }
    guard let box = DrawnBox(way)?.grown(by: Self.streetMargin) else { return }
    streets = ReportStreets(
      archive, box: box, on: MapProjection(center: middle), limit: Self.mostStreets, unit: { $0 })
  }

  /// The zone, the moment, the end, and a description of the event.
  private static func focus(
    _ reason: SimulationScenes.Reason, _ raised: [TrialRecord.Alarm]
  ) -> (ZoneID, Instant, Instant, String) {
    switch reason {
    case .visit(let visit):
      let alarm = raised.first {
        $0.zone == visit.zone && $0.raisedAt >= visit.around.lowerBound
          && $0.raisedAt <= visit.exit + .minutes(5)
      }
      let what =
        alarm.map { alarm -> String in
          let late = (alarm.raisedAt - visit.entry).seconds
          return late > 0 ? "rang \(fixedPoint(late, decimals: 0)) s after the entry" : "rang in time"
        } ?? "missed"
      let over = min(visit.exit, visit.entry + .minutes(30))
      return (visit.zone, visit.entry, max(over, alarm?.raisedAt ?? over), what)
    case .falseAlarm(let alarm):
      return (
        alarm.zone, alarm.raisedAt, alarm.raisedAt,
        "rang \(lengthWords(.metres(max(0, alarm.distance)))) away (\(words(alarm.cause)))"
      )
    }
  }

  /// Adds the policy's state, session and fences, from the journal's beginning on.
  private mutating func follow(
    _ journal: SceneJournal, from start: Instant, to end: Instant, tenths: (Instant) -> Int,
    point: (Coordinate) -> [Int]
  ) {
    var session = "no session"
    var circles: [[Int]] = []
    for entry in journal.entries where entry.time <= end {
      for command in entry.commands {
        switch command {
        case .session(let wish):
          session =
            "session: \(words(wish.accuracy))"
            + (wish.distanceFilter.map { ", each \(fixedPoint($0.metres, decimals: 0)) m" } ?? "")
        case .endSession: session = "no session"
        case .fences(let laid):
          circles = laid.prefix(24).map { point($0.center) + [Int(($0.radius.metres * 10).rounded())] }
        default: break
        }
      }
      let time = max(0, tenths(entry.time))
      let state = State(
        time: time, rule: words(entry.reason.rule), session: session, due: entry.reason.due.map(tenths))
      if entry.time <= start {
        states = [state]
        fences = [(0, circles)]
        continue
      }
      if var last = states.last {
        last.time = time
        if last != state { states.append(state) }
      } else {
        states.append(state)
      }
      if fences.last?.circles ?? [] != circles { fences.append((time, circles)) }
    }
  }

  private static func places(
    _ zones: [Zone], near way: [Coordinate], point: (Coordinate) -> [Int]
  ) -> [Place] {
    let known = zones.compactMap { zone -> (zone: Zone, outline: Outline, distance: Double)? in
      guard let shape = try? zone.shape(defaultRadius: Settings.phone.defaultRadius) else { return nil }
      let outline = Outline(shape)
      let distance = way.map { outline.signedDistance(from: $0).metres }.min() ?? .infinity
      return distance <= surroundings + zone.alertDistance.metres ? (zone, outline, distance) : nil
    }
    return known.sorted { ($0.distance, $0.zone.id) < ($1.distance, $1.zone.id) }.prefix(mostZones).map {
      known in
      if case .circle(let center, let radius) = known.outline.shape {
        let effective = max(0, (radius - known.zone.inset).metres)
        let alert = effective + max(0, known.zone.alertDistance.metres)
        return Place(
          name: displayName(known.zone.name),
          circle: point(center) + [Int((effective * 10).rounded()), Int((alert * 10).rounded())], rings: [])
      }
      let rings = known.outline.boundary(tolerance: .metres(5), limit: 60).map { $0.flatMap(point) }
      return Place(name: displayName(known.zone.name), circle: nil, rings: rings)
    }
  }
}

extension SimulationScene {
  /// The scene for the page's script.
  var json: String {
    func list(_ numbers: [Int]) -> String { "[" + numbers.map(String.init).joined(separator: ",") + "]" }
    func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
    let quoted = JSONLine.quoted
    let states = states.map { state in
      array([
        String(state.time), quoted(state.rule), quoted(state.session), state.due.map(String.init) ?? "null",
      ])
    }
    let zones = zones.map { zone in
      array([quoted(zone.name), zone.circle.map(list) ?? "null", array(zone.rings.map(list))])
    }
    let parts = [
      "title": quoted(title), "command": quoted(command), "began": String(began.millisecondsSince1970),
      "ahead": String(PrintedZone.secondsFromUTC(at: began)),
      "clock": quoted(PrintedZone.words),
      "length": String(length), "moment": String(moment), "truth": array(truth.map(list)),
      "fixes": array(fixes.map(list)), "states": array(states),
      "fences": array(fences.map { array([String($0.time), array($0.circles.map(list))]) }),
      "zones": array(zones),
      "alarms": array(alarms.map { array([String($0.time), quoted($0.zone), quoted($0.words)]) }),
      "streets": streets?.json ?? "null",
      "visits": array(visits.map { array([String($0.from), String($0.to), quoted($0.zone)]) }),
    ]
    return "{" + parts.keys.sorted().map { quoted($0) + ":" + (parts[$0] ?? "null") }.joined(separator: ",")
      + "}"
  }
}
