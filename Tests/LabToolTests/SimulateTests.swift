import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Formats
import Foundation
import Geometry
import PhoneSimulator
import Testing

@testable import LabTool

@Suite("simulate")
struct SimulateTests {
  private static let keys = [
    "policy", "host", "profile", "scenario", "visits", "caught", "recall", "precision", "latency_median_s",
    "latency_p95_s", "depth_p95_m", "energy_j_per_day", "energy_ratio", "fixes_per_day", "fixes_ratio",
    "wakes_per_day", "violations", "violations_excused", "recall_low", "recall_high", "visits_short",
    "recall_short", "visits_long", "recall_long", "precision_certain", "false_alarms", "false_possible",
    "false_alarms_per_day", "repeated_alarms", "latency_p90_s", "latency_max_s", "latency_restricted_mean_s",
    "depth_median_m", "depth_p90_m", "depth_max_m", "visits_caught_walking", "latency_median_walking_s",
    "latency_p95_walking_s", "depth_p95_walking_m", "visits_caught_driving", "latency_median_driving_s",
    "latency_p95_driving_s", "depth_p95_driving_m", "early_median_m", "early_p95_m", "energy_low_j_per_day",
    "energy_high_j_per_day", "energy_paused_ratio", "energy_bound_ratio", "battery_12wh_share",
    "battery_life_factor", "session_hours_per_day", "gps_seconds_per_day", "days", "padded_hours",
    "lead_alarms", "lead_false_share", "lead_entries", "lead_unwarned_share", "lead_median_share",
    "violations_untold_motion",
  ]

  /// A walk of ten minutes through a zone of 60 m at its midpoint.
  private func walk(_ folder: TestFolder) throws -> (track: String, zones: String) {
    var csv = "time,latitude,longitude\n"
    for second in 0..<600 {
      csv += "\(1_750_000_000 + second),\(48.1 + Double(second) * 1.4 / 111_195),11.5\n"
    }
    let zone = """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"half","radius":60},
      "geometry":{"type":"Point","coordinates":[11.5,48.1038]}}]}
      """
    return (try folder.file("walk.csv", csv), try folder.file("zone.geojson", zone))
  }

  @Test func `a line has exactly the contract's keys, in their order`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    let console = CapturedConsole()
    let status = console.run(
      "simulate", track, "--zones", zones, "--policy", "certified", "--policy", "every-60s", "--json")
    #expect(status == 0, "\(console.messages)")
    #expect(console.lines.count == 3)
    for line in console.lines {
      let keys = line.matches(of: /"([a-z0-9_]+)":/).map { String($0.1) }
      #expect(keys == Self.keys)
      #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil)
    }
    #expect(
      console.lines[0].hasPrefix(
        #"{"policy":"certified","host":"H1","profile":"iphone6_2019","scenario":"tracks","visits":1,"#))
  }

  @Test func `the same seed gives the same lines, whatever the threads did`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    func lines() -> [String] {
      let console = CapturedConsole()
      _ = console.run("simulate", track, "--zones", zones, "--policy", "certified", "--seeds", "4", "--json")
      return console.lines
    }
    #expect(lines() == lines())
    #expect(lines().count == 2)
  }

  @Test func `the table names its columns and has a row a policy and host`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    let console = CapturedConsole()
    #expect(
      console.run("simulate", track, "--zones", zones, "--policy", "oracle", "--policy", "interval") == 0)
    #expect(console.lines.first?.hasPrefix("scenario  policy") ?? false)
    // Recall and cost: a heading and two rows each.
    #expect(console.lines.count { $0.hasPrefix("tracks ") } == 4)
    #expect(console.lines.contains { $0.contains("299 for 0.990") } == false, "certified was not asked for")
  }

  @Test func `zones with a lead time have a table of their own, on the page too`() throws {
    let folder = try TestFolder()
    let (track, plain) = try walk(folder)
    let zones = try folder.file(
      "lead.geojson",
      try folder.text("zone.geojson").replacing("\"radius\":60", with: "\"radius\":60,\"alarm_lead_s\":90"))
    func run(_ zones: String, _ more: String...) -> [String] {
      let console = CapturedConsole()
      let words = ["simulate", track, "--zones", zones, "--policy", "oracle", "--no-padding"]
      #expect(ProximityLab.run(words + more, on: console.console) == 0, "\(console.messages)")
      return console.lines
    }
    let page = folder.path("page.html")
    let head = try #require(run(zones, "--report", page).firstIndex { $0.contains("lead alarms") })
    let row = run(zones)[head + 1].split(separator: " ")
    #expect(row == ["tracks", "oracle", "-", "1", "0.000", "1", "0.000", "1.00"])
    #expect(try folder.text("page.html").contains("median lead"))
    #expect(try #require(run(zones, "--json").first).contains(#""visits":0,"caught":0,"#))
    #expect(!run(plain).contains { $0.contains("lead alarms") })
  }

  @Test func `a track is filled up to a whole day, unless it is to stay as it is, and the answer says so`()
    throws
  {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    func run(_ more: String...) -> [String] {
      let console = CapturedConsole()
      _ = ProximityLab.run(
        ["simulate", track, "--zones", zones, "--policy", "continuous", "--host", "H1"] + more,
        on: console.console)
      return console.lines
    }
    #expect(run().contains { $0.contains("extended with rest") })
    #expect(!run("--no-padding").contains { $0.contains("extended with rest") })
    let padded = try #require(run("--json").first)
    #expect(padded.contains(#""days":1.0,"#), "\(padded)")
    #expect(padded.contains(#""padded_hours":23.8"#), "\(padded)")
    // A session all day with ten minutes of walking: 0.401 and 0.239 W, energy reference a.4.
    let joules = try #require(padded.firstMatch(of: /"energy_j_per_day":([0-9.]+)/).flatMap { Double($0.1) })
    #expect((20_500...21_500).contains(joules), "\(joules)")
  }

  @Test func `circumstances change what comes out, and the command of a case repeats them`() throws {
    let folder = try TestFolder()
    let page = folder.path("page.html")
    let console = CapturedConsole()
    let status = ProximityLab.run(
      [
        "simulate", "--scenario", "S6", "--policy", "platform-regions", "--no-wifi", "--event-loss", "100",
        "--ios", "12", "--motion-delay", "30", "--gps-outage", "30", "--zone-count", "3", "--report", page,
      ], on: console.console)
    #expect(status == 0, "\(console.messages)")
    #expect(console.lines.contains { $0.hasPrefix("S6 nextDoor, 3 zones  platform-regions") })
    #expect(
      try folder.text("page.html").contains(
        "--phone measured2019 --no-wifi --gps-outage 30 --event-loss 100 --ios 12 --motion-delay 30 --zone-count 3 --seed 1"
      ))
  }

  @Test func `what surrounds a track is drawn from the seed, or as stated`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    func line(_ more: String...) throws -> String {
      let console = CapturedConsole()
      let words = [
        "simulate", track, "--zones", zones, "--policy", "continuous", "--host", "H1", "--no-padding",
      ]
      _ = ProximityLab.run(words + ["--json"] + more, on: console.console)
      return try #require(console.lines.first, "\(console.messages)")
    }
    let outdoors = try line("--surroundings", "outdoors")
    #expect(try line("--surroundings", "indoors") != outdoors)
    #expect(try line() == line())
    let journey = try Journey(
      track: (0..<4000).map { second in
        Fix(
          position: Coordinate(
            latitude: .degrees(48.1 + Double(second) * 10 / 111_195), longitude: .degrees(11.5)),
          accuracy: .unstated, measuredAt: Instant(millisecondsSince1970: Int64(second) * 1000))
      })
    func around(_ journey: Journey) -> [Journey.Surroundings] {
      (0..<4000).map { journey.surroundings(at: journey.start + .seconds(Double($0))) }
    }
    let stated = try SimulationFactors.parse(["--surroundings", "canyon"])
    #expect(Set(around(stated.surrounded(journey, seed: 1))) == [.urbanCanyon])
    let drawn = try SimulationFactors.parse([])
    #expect(Set(around(drawn.surrounded(journey, seed: 1))).isSuperset(of: [.outdoors, .urbanCanyon]))
    #expect(around(drawn.surrounded(journey, seed: 1)) != around(drawn.surrounded(journey, seed: 2)))
  }

  @Test func `every event lost, regions alone catch nothing`() {
    func recall(_ loss: String) -> String? {
      let console = CapturedConsole()
      _ = ProximityLab.run(
        [
          "simulate", "--scenario", "S1", "S7", "--policy", "platform-regions-trusting", "--event-loss", loss,
          "--seeds", "2", "--json",
        ], on: console.console)
      return console.lines.first?.firstMatch(of: /"caught":([0-9]+)/).map { String($0.1) }
    }
    #expect(recall("100") == "0")
    #expect(recall("0") != "0")
  }

  @Test func `every person is in one half, whatever the folder`() {
    for number in 1...40 {
      let halves = SimulationHalf.allCases.filter { $0.holds("person \(number)") }
      #expect(halves.count == 1)
      #expect(
        SimulationHalf.a.holds("a/b/track\(number).gpx") == SimulationHalf.a.holds("track\(number).gpx"))
    }
    let inFirst = (1...40).count { SimulationHalf.a.holds("person \($0)") }
    #expect((10...30).contains(inFirst), "\(inFirst)")
  }

  @Test func `the report is one page that loads nothing and names the command of each late visit`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    let console = CapturedConsole()
    let page = folder.path("page.html")
    #expect(console.run("simulate", track, "--zones", zones, "--policy", "every-300s", "--report", page) == 0)
    let html = try folder.text("page.html")
    #expect(html.contains("default-src 'none'"))
    #expect(!html.contains("http:") && !html.contains("https:"))
    #expect(
      html.contains("--policy every-300s --profile iphone6_2019 --host H1 --phone measured2019 --seed 1"))
    let data = try #require(
      html.firstMatch(of: /<script type="application\/json" id="scenes">(.*)<\/script>/))
    let scenes = try #require(
      try JSONSerialization.jsonObject(with: Data(String(data.1).utf8)) as? [[String: Any]])
    let links = html.matches(of: /href="#scene-([0-9]+)"/).compactMap { Int($0.1) }
    #expect(!links.isEmpty && links.allSatisfy { $0 < scenes.count })
    let first = try #require(scenes.first)
    #expect((first["truth"] as? [[Int]])?.count == 501)
    #expect(((first["fixes"] as? [[Int]])?.count ?? 0) > 0)
    #expect((first["command"] as? String)?.hasPrefix("proximity-lab simulate ") ?? false)
    #expect(html.utf8.count < 2_000_000)
  }

  @Test(arguments: [
    (["--policy", "nonsense"], "certified"), (["--host", "H3"], "H0, H1, H2"),
    (["--scenario", "S99"], "S17, S18"), (["--surroundings", "canyon"], "for tracks"),
    (["--host", "phone"], "H0, H1, H2 allowed"),
    (["--policy", "certfied"], "did you mean certified?"), (["--scenario", "s4"], "did you mean S4?"),
    (["--time-zone", "Berlin"], "did you mean Europe/Berlin?"),
    (["--profile", "nokia"], "iphone6_2019"), (["--ios", "9"], "6, 12, 18, 26"),
    (["--event-loss", "101"], "0 to 100"), (["--motion-delay", "3601"], "0 to 3600"),
    (["--gps-outage", "0"], "1440"),
    (["--zone-count", "0"], "1 to 2000"),
    (["--half", "C"], "A, B"),
    (["a.gpx", "--zones", "z.pad", "--surroundings", "town"], "outdoors, canyon, indoors"),
    (["--phone", "nokia"], "measured2019"),
    (["--sensitivity", "--json"], "no --json"), (["--seeds", "0"], "1 to 10000"), (["walk.gpx"], "--zones"),
  ])
  func `a wrong name is told with those allowed`(_ arguments: [String], _ allowed: String) {
    let console = CapturedConsole()
    #expect(ProximityLab.run(["simulate"] + arguments, on: console.console) == 2)
    #expect(console.messages.contains(allowed), "\(console.messages)")
  }

  /// S170, and the way as GPX.
  @Test func `a log says what the policy was told and did, and its positions read back`() throws {
    let folder = try TestFolder()
    let (track, zones) = try walk(folder)
    let logs = folder.url.appendingPathComponent("logs")
    let console = CapturedConsole()
    let status = console.run(
      "simulate", track, "--zones", zones, "--policy", "fenceOnly", "--host", "H2", "--log", logs.path)
    #expect(status == 0, "\(console.messages)")
    let made = try FileManager.default.contentsOfDirectory(atPath: logs.path)
    #expect(made == ["tracks-fenceonly-h2-iphone6-2019-seed-1-course-1"])
    let place = logs.appendingPathComponent(try #require(made.first))
    let text = try String(contentsOf: place.appendingPathComponent("log.txt"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.first?.contains("started by a person -> ") == true, "\(lines.first ?? "")")
    #expect(lines.contains { $0.contains("fence at ") })
    #expect(lines == lines.sorted { $0.prefix(24) < $1.prefix(24) })
    let positions = lines.count { $0.contains("  position ") }
    let gpx = try TrackFile.read(
      data: try Data(contentsOf: place.appendingPathComponent("track.gpx")), name: "track.gpx")
    #expect(gpx.devices.first?.points.count == positions)
    #expect(positions > 0)
  }

  @Test func `a host's symbol reads back`() {
    for host in [Capabilities.Host.visibleOnly, .timed, .suspended] {
      #expect(Capabilities.Host(symbol: host.symbol) == host)
    }
    #expect(Capabilities.Host(symbol: "H9") == nil)
  }

  @Test func `work in parallel answers in order, and stops when told`() throws {
    #expect(
      try inParallel(Array(0..<50), workers: 4, telling: { _ in true }, work: { $0 * $0 })
        == (0..<50).map { $0 * $0 })
    #expect(try inParallel([Int](), telling: { _ in true }, work: { $0 }).isEmpty)
    #expect(throws: CancellationError.self) {
      try inParallel(Array(0..<50), workers: 2, telling: { $0 < 3 }, work: { $0 })
    }
  }
}
