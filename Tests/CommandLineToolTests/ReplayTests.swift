import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Formats
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("replay and explain")
struct ReplayTests {
  private func folder() throws -> (folder: TestFolder, track: String, zones: String) {
    let folder = try TestFolder()
    return (
      folder, try folder.file("walk.gpx", Sample.walk()),
      try folder.file(
        "zones.pad",
        Sample.circle("Middle", 52, 13.006, alert: 50) + Sample.circle("North", 52.01, 13.006)
          + Sample.circle("Far\u{1b}[2J", 53, 13))
    )
  }

  @Test func `a walk through a zone is told in a table and summed up`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones) == 0, "\(captured.messages)")
    let lines = captured.lines
    try #require(lines.count > 4)
    #expect(lines[0] == "2026-05-01 (UTC)")
    #expect(
      lines[1].contains("Middle  ALARM") && lines[1].contains("within the alert distance"), "\(lines[1])")
    #expect(lines[2].contains("Middle  rang") && lines[2].contains(" more times until "), "\(lines[2])")
    #expect(lines[3].contains("Middle  cleared"), "\(lines[3])")
    #expect(lines.contains { $0.hasPrefix("60 fixes through 3 zones: 1 alarm, ") })
    #expect(
      lines.contains { $0.contains("North") && $0.contains("1.01 km away at 2026-05-01T08:05:00.000Z") })
    #expect(!captured.output.contains("\u{1b}"))
  }

  @Test(arguments: [(minutes: 5, lost: 0), (minutes: 1, lost: 1)])
  func `the signal of a track is lost after three times its usual span`(minutes: Int, lost: Int) throws {
    let folder = try TestFolder()
    // Always outside the zone, with one silence of seven minutes.
    let times = (0..<10).map { $0 * minutes } + (0..<10).map { 9 * minutes + 7 + $0 * minutes }
    let rows = times.map { minute in
      let (hours, minutes) = ("\(108 + minute / 60)".suffix(2), "\(100 + minute % 60)".suffix(2))
      return "2026-05-01T\(hours):\(minutes):00Z,52.0012,13.006,5"
    }
    let track = try folder.file("rest.csv", (["time,lat,lon,accuracy"] + rows).joined(separator: "\n"))
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.006, alert: 20))
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones, "--json") == 0, "\(captured.messages)")
    #expect(captured.lines.count { $0.contains(#""event":"missed_signal""#) } == lost, "\(captured.output)")
  }

  @Test func `the same replay prints the same bytes`() throws {
    let (_, track, zones) = try folder()
    for extra in [[], ["--json"]] {
      let first = CapturedConsole()
      let second = CapturedConsole()
      _ = Proximity.run(["replay", track, "--zones", zones] + extra, on: first.console)
      _ = Proximity.run(["replay", track, "--zones", zones] + extra, on: second.console)
      #expect(first.output == second.output && !first.output.isEmpty)
    }
  }

  @Test func `events come in the order of decision`() throws {
    let zone = ZoneID(rawValue: 1)
    let place = Coordinate(latitude: .degrees(0), longitude: .degrees(0))
    func event(_ time: Int64, _ decided: Int64, _ alarm: UInt64) -> Event {
      let report = AlarmReport(
        alarm: AlarmID(rawValue: alarm), zone: zone, cause: .inside, distance: .zero, position: place)
      return Event(
        time: Instant(millisecondsSince1970: time), decidedAt: Instant(millisecondsSince1970: decided),
        learnedAt: Instant(millisecondsSince1970: decided), kind: .alarm(report))
    }
    let run = ReplayRun(
      zones: [], devices: [],
      events: [[event(1, 5, 10), event(4, 4, 11)], [event(1, 5, 12), event(0, 9, 13)]])
    let order = run.entries.compactMap { entry -> UInt64? in
      if case .alarm(let report) = entry.event.kind { report.alarm.rawValue } else { nil }
    }
    #expect(order == [11, 10, 12, 13])
  }

  @Test func `what an end ends stands before it, also where both are decided at one moment`() {
    let place = Coordinate(latitude: .degrees(0), longitude: .degrees(0))
    let report = AlarmReport(
      alarm: AlarmID(rawValue: 7), zone: ZoneID(rawValue: 1), cause: .inside, distance: .zero, position: place
    )
    func event(_ kind: Event.Kind, _ second: Int64, decided: Int64? = nil) -> Event {
      let decidedAt = Instant(millisecondsSince1970: (decided ?? second) * 1000)
      return Event(
        time: Instant(millisecondsSince1970: second * 1000), decidedAt: decidedAt, learnedAt: decidedAt,
        kind: kind)
    }
    // Both orders of the last two events, and an end that is before the rings that it ended.
    for end in [Int64(10), 4] {
      let cleared = event(.cleared(report, .left), end, decided: 10)
      for last in [[event(.repeat(report), 10), cleared], [cleared, event(.repeat(report), 10)]] {
        let run = ReplayRun(
          zones: [],
          devices: [
            ReplayRun.Device(
              name: "", id: ReplayRun.deviceID(""), fixes: [],
              timeline: Timeline(device: ReplayRun.deviceID(""), settings: Settings(), zones: []), unused: [],
              duplicates: 0, believed: [])
          ], events: [[event(.alarm(report), 0)] + last])
        let what = ReplayTable(run).lines.dropFirst().map { line in
          ["ALARM", "rang", "cleared"].first { line.contains(" \($0) ") } ?? line
        }
        #expect(what == ["ALARM", "rang", "cleared"], "\(ReplayTable(run).lines)")
        #expect(ReplayTable(run).lines.last?.contains("decided 6 s later") == (end == 4))
      }
    }
  }

  @Test func `hdop is an accuracy only when asked for`() {
    let fix = Fix(
      position: Coordinate(latitude: .degrees(0), longitude: .degrees(0)), accuracy: .unstated,
      measuredAt: Instant(millisecondsSince1970: 0))
    let point = TrackFile.Point(fix: fix, hdop: 1.5)
    #expect(ReplayRun.fix(point, hdopMetres: nil).accuracy == .unstated)
    #expect(ReplayRun.fix(point, hdopMetres: 4).accuracy == .radius(.metres(6)))
  }

  @Test func `the nearest approach is the least of all fixes`() throws {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var latitude = 52.0
      var longitude = 13.0
      let fixes = (0..<300).map { index in
        latitude += random.normal() * 0.0003
        longitude += random.normal() * 0.0003
        return Fix(
          position: Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude)),
          accuracy: .unstated,
          measuredAt: Instant(millisecondsSince1970: Int64(index) * 1000))
      }
      let zone = Zone.valid(
        id: ZoneID(rawValue: 1), name: "Z", size: .metres(50), inset: .metres(-10),
        outline: .locations([Coordinate(latitude: .degrees(52.003), longitude: .degrees(13.002))]))
      let placed = PlacedZone(zone: zone, outline: Outline(try zone.shape(defaultRadius: .metres(50))))
      let all = fixes.map { placed.effectiveDistance(from: $0.position) }
      #expect(MeasuredTrack(fixes).nearestApproach(to: placed)?.distance == all.min(), "seed \(seed)")
      let samples = MeasuredTrack(fixes).distances(to: placed)
      #expect(samples.first?.index == 0 && samples.last?.index == fixes.count - 1, "seed \(seed)")
    }
  }

  @Test func `explain says which rule decided and comes to the same verdict again`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    let status = captured.run(
      "explain", track, "--zones", zones, "--zone", "Middle", "--at", "2026-05-01T08:05:00Z")
    #expect(status == 0, "\(captured.messages)")
    #expect(captured.output.contains("re-run") && captured.output.contains("same verdict"))
    #expect(captured.output.contains("It first rang at 2026-05-01T08:"))
  }

  @Test func `explain asked with a time that replay prints tells what decided there`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones, "--json") == 0)
    var asked: [String: String] = [:]
    for line in captured.lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard let kind = object["event"] as? String, ["alarm", "cleared"].contains(kind) else { continue }
      asked[kind] = object["time"] as? String
    }
    #expect(asked.count == 2, "\(captured.output)")
    for (kind, time) in asked {
      let told = CapturedConsole()
      #expect(told.run("explain", track, "--zones", zones, "--zone", "Middle", "--at", time) == 0)
      let first = try #require(told.lines.first)
      #expect(
        first.hasPrefix(kind == "alarm" ? "It rang because your phone was " : "It ended because "), "\(first)"
      )
      #expect(first.contains("Middle"), "\(first)")
      #expect(told.output.contains("It first rang at "), "\(told.output)")
    }
  }

  @Test func `explain tells the nearest miss of a silent zone`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    #expect(
      captured.run("explain", track, "--zones", zones, "--zone", "North", "--at", "2026-05-01T08:09:00Z") == 0
    )
    #expect(captured.output.contains("silent: the whole disc of the fix's error lies outside"))
    #expect(
      captured.output.contains("Nearest miss: 1.01 km away at 2026-05-01T08:05:00.000Z"), "\(captured.output)"
    )
  }

  @Test func `explain for programs is one object with the record`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    let status = captured.run(
      "explain", track, "--zones", zones, "--zone", "Middle", "--at", "2026-05-01T08:05:00Z", "--json")
    #expect(status == 0)
    let parsed = try JSONSerialization.jsonObject(with: Data(captured.output.utf8))
    let object = try #require(parsed as? [String: Any])
    #expect(object["verdict"] as? String == object["replayed_verdict"] as? String)
    #expect(object["zone"] as? String == "Middle")
  }

  @Test func `before the first fix nothing was known`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    #expect(captured.run("explain", track, "--zones", zones, "--zone", "Middle", "--at", "2020-01-01") == 0)
    #expect(captured.output.contains("no fix had been received by 2020-01-01T00:00:00.000Z"))
  }

  @Test func `a zone that is not there is bad usage, with the nearest names`() throws {
    let (_, track, zones) = try folder()
    let captured = CapturedConsole()
    #expect(captured.run("explain", track, "--zones", zones, "--zone", "Midle", "--at", "2026-05-01") == 2)
    #expect(captured.messages.contains("the nearest names are Middle"), "\(captured.messages)")
  }

  @Test func `progress shows on a terminal for long files only, and is wiped`() {
    let captured = CapturedConsole(showsProgress: true)
    let short = ProgressBar("Reading a.gpx", on: captured.console)
    #expect(short.step(done: 10, total: 20))
    short.finish()
    #expect(captured.messages == "")
    let long = ProgressBar("Reading b.gpx", on: captured.console)
    #expect(long.step(done: 30_000_000, total: 60_000_000))
    long.finish()
    #expect(captured.messages.contains("50 %") && captured.messages.contains("30.0 of 60.0 MB"))
    #expect(captured.messages.hasSuffix("\r\u{1b}[K"))
    let fixes = ProgressBar("Replaying c.gpx", in: .fixes, on: captured.console)
    #expect(fixes.step(done: 30_000, total: 120_000))
    fixes.finish()
    #expect(
      captured.messages.contains("Replaying c.gpx ██████░")
        && captured.messages.contains("30000 of 120000 fixes"))
  }
}
