import AlarmEngine
import Foundation
import PhoneSimulator
import Testing

@testable import CommandLineTool

@Suite("simulate")
struct SimulateTests {
  private static let keys = [
    "policy", "host", "profile", "scenario", "visits", "caught", "recall", "precision", "latency_median_s",
    "latency_p95_s", "depth_p95_m", "energy_j_per_day", "energy_ratio", "fixes_per_day", "fixes_ratio",
    "wakes_per_day", "violations",
  ]

  /// A walk of ten minutes through a zone of 60 m at its half.
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
    #expect(console.lines.count == 3)
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
  }

  @Test(arguments: [
    (["--policy", "nonsense"], "certified"), (["--host", "H3"], "H0, H1, H2"),
    (["--scenario", "S12"], "S1, S2"),
    (["--profile", "nokia"], "iphone6_2019"), (["--seeds", "0"], "1 to 10000"), (["walk.gpx"], "--zones"),
  ])
  func `a wrong name is told with those allowed`(_ arguments: [String], _ allowed: String) {
    let console = CapturedConsole()
    #expect(Proximity.run(["simulate"] + arguments, on: console.console) == 2)
    #expect(console.messages.contains(allowed), "\(console.messages)")
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
