import AlarmEngine
import Geometry

/// Runs a story on a timeline and writes down the answers.
///
/// A line holds a time, an input, and after `->` the engine's answers up to then:
///
///     0:10  x 80           -> alarm inside @0:08
///     0:20  x 80 ±15
///     0:25  sleep          -> repeat
///
/// `x` is metres east of the origin (`y` may follow, metres north), `±` the phone's accuracy, `v` its speed
/// in m/s, `z` its height over sea level (`z 900/10` with its stated error, `z 900/10?` if it may be over the
/// ellipsoid). Other words are commands for the last alarm that rang: close, sleep, acknowledge, today
/// 1:00:00, activate, deactivate. `wait` only lets time pass; `clock -2:00:00` sets the clock back by two
/// hours, to the line's time. `@` is an event's true time if it is not the line's, to a tenth of a second.
public struct AlarmStory {
  public static let origin = Coordinate(latitude: .degrees(47.5), longitude: .degrees(11))
  /// 2026-06-01T00:00:00Z, a Monday.
  public static let start = Instant(millisecondsSince1970: 1_780_272_000_000)

  public private(set) var timeline: Timeline
  private var lastAlarm: AlarmID?

  public init(
    zones: [Zone], settings: Settings = quietSettings, armed: Bool = true
  ) {
    timeline = Timeline(device: DeviceID(rawValue: 1), settings: settings, zones: zones, armed: armed)
  }

  /// Alarms repeat and signals are missed only after an hour, so that stories show only their subject.
  public static var quietSettings: Settings {
    var settings = Settings()
    settings.change(.alarmCycle, to: 3600)
    settings.change(.signalTimeout, to: 3600)
    return settings
  }

  /// The point at these metres east and north of the origin.
  public static func place(east: Double, north: Double = 0) -> Coordinate {
    let angle = Trigonometry.arctangent(y: east, x: north)
    return Geodesic.destination(
      from: origin, azimuth: .radians(angle), distance: .metres((east * east + north * north).squareRoot()))
  }

  public static func circle(
    _ name: Text = "zone", radius: Double = 100, east: Double = 0, id: UInt64 = 1,
    _ change: (inout ZoneDraft) -> Void = { _ in }
  ) -> Zone {
    var zone = ZoneDraft(
      id: ZoneID(rawValue: id), name: name, size: .metres(radius), outline: .locations([place(east: east)]))
    change(&zone)
    return .valid(zone)
  }

  /// Runs the story and returns it with the engine's own answers in place of the written ones.
  public mutating func told(_ story: String) -> String {
    story.split(separator: "\n").map { line in
      let words = line.split(separator: "->", maxSplits: 1)[0].split(separator: " ").map(String.init)
      guard let time = words.first else { return "" }
      let said = tell(Array(words.dropFirst()), at: Self.start + Self.span(time))
      let head = words.joined(separator: " ")
      return said.isEmpty ? head : "\(head) -> \(said.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// The story without alignment, for comparison.
  public static func plain(_ story: String) -> String {
    story.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(
      separator: "\n")
  }

  private mutating func tell(_ words: [String], at now: Instant) -> [String] {
    if words.first == "clock" {
      return timeline.clockJumped(by: Self.signed(words[1]), at: now).added.map {
        Self.words($0, at: now, zones: Array(timeline.zones))
      }
    }
    var events = timeline.advance(to: now - .milliseconds(1)).added
    switch words.first {
    case "x":
      let east = Double(words[1])!
      let north = words.count > 3 && words[2] == "y" ? Double(words[3])! : 0
      let accuracy = words.last.flatMap { $0.hasPrefix("±") ? Double($0.dropFirst()) : nil }
      let fix = Fix(
        position: Self.place(east: east, north: north),
        accuracy: accuracy.map { .radius(.metres($0)) } ?? .unstated, measuredAt: now,
        speed: words.firstIndex(of: "v").map { .metresPerSecond(Double(words[$0 + 1])!) },
        altitude: words.firstIndex(of: "z").flatMap { Self.altitude(words[$0 + 1]) })
      events += timeline.insert([.fix(fix)]).added
    case "activate": events += timeline.insert([.command(.activate, at: now)]).added
    case "deactivate": events += timeline.insert([.command(.deactivate, at: now)]).added
    case "close": events += command { .close($0) }
    case "sleep" where words.count > 1:
      let until = Self.start + Self.span(words[1])
      events += command { .sleepUntil($0, until) }
    case "sleep": events += command { .sleep($0) }
    case "acknowledge": events += command { .acknowledgeInside($0) }
    case "today":
      let until = Self.start + Self.span(words[1])
      events += command { .acknowledgeForToday($0, until: until) }
    default: break
    }
    events += timeline.advance(to: now).added
    func command(_ make: (AlarmID) -> Command) -> [Event] {
      guard let lastAlarm else { return [] }
      return timeline.insert([.command(make(lastAlarm), at: now)]).added
    }
    for event in events { if case .alarm(let report) = event.kind { lastAlarm = report.alarm } }
    return events.map { Self.words($0, at: now, zones: Array(timeline.zones)) }
  }

  public static func words(_ event: Event, at now: Instant, zones: [Zone]) -> String {
    func name(_ id: ZoneID) -> String {
      zones.count < 2 ? "" : " " + (zones.first { $0.id == id }?.name.string ?? "?")
    }
    let said: String
    switch event.kind {
    case .alarm(let report): said = "alarm \(report.cause)\(name(report.zone))"
    case .repeat(let report): said = "repeat\(name(report.zone))"
    case .cleared(let report, let why): said = "cleared \(why)\(name(report.zone))"
    case .missedSignal(let zone, _, _): said = "missed signal\(name(zone))"
    case .perhaps(let zone, _, _, _): said = "perhaps\(name(zone))"
    case .ignored(_, let reason): said = "ignored \(reason)"
    case .notice(let zone): said = "notice\(name(zone))"
    case .proposal(let proposal): said = "proposal of \(proposal.lines.count)"
    }
    return event.time == now ? said : "\(said) @\(clock(event.time - start))"
  }

  private static func altitude(_ word: String) -> Altitude? {
    let parts = word.split(separator: "/")
    let stated = parts.count > 1 ? parts[1] : ""
    return Altitude(
      metres: Double(parts[0])!, error: Double(stated.filter { $0 != "?" }),
      reference: stated.hasSuffix("?") ? .unknown : .seaLevel)
  }

  static func span(_ text: String) -> TimeSpan {
    .seconds(text.split(separator: ":").reduce(0) { $0 * 60 + Double($1)! })
  }
  private static func signed(_ text: String) -> TimeSpan {
    text.hasPrefix("-") ? .zero - span(String(text.dropFirst())) : span(text)
  }
  static func clock(_ span: TimeSpan) -> String {
    let tenths = (span.milliseconds + 50) / 100
    let (minutes, seconds) = (tenths / 600, tenths % 600)
    let whole = seconds / 10 < 10 ? "0\(seconds / 10)" : "\(seconds / 10)"
    let rest = seconds % 10 == 0 ? "" : ".\(seconds % 10)"
    let hours = minutes / 60
    guard hours > 0 else { return "\(minutes):\(whole)\(rest)" }
    return "\(hours):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(whole)\(rest)"
  }
}
