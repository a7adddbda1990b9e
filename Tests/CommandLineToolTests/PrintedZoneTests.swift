import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Time zones that people are told times in")
struct PrintedZoneTests {
  private func inZone<Answer>(_ name: String, _ work: () throws -> Answer) throws -> Answer {
    try PrintedZone.$current.withValue(try #require(TimeZone(identifier: name)), operation: work)
  }

  @Test func `a replay tells times as the clocks there show them, and programs get UTC`() throws {
    let folder = try TestFolder()
    let track = try folder.file("walk.gpx", Sample.walk())
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.004))
    func run(_ more: String...) -> CapturedConsole {
      let captured = CapturedConsole()
      #expect(Proximity.run(["replay", track, "--zones", zones] + more, on: captured.console) == 0)
      return captured
    }
    let utc = run()
    #expect(utc.lines.first == "2026-05-01 (UTC)", "\(utc.output)")
    let berlin = run("--time-zone", "Europe/Berlin")
    #expect(berlin.lines.first == "2026-05-01 (Europe/Berlin)", "\(berlin.output)")
    #expect(utc.lines.count == berlin.lines.count)
    for (a, b) in zip(utc.lines, berlin.lines) where a.hasPrefix("08:") {
      #expect(b.hasPrefix("10:") && b.prefix(8).dropFirst(2) == a.prefix(8).dropFirst(2), "\(a) \(b)")
    }
    #expect(run("--time-zone", "UTC").output == utc.output)
    #expect(run("--json", "--time-zone", "Asia/Tokyo").output == run("--json").output)
    let samoa = run("--time-zone", "pacific/pago_pago")
    #expect(samoa.lines.first == "2026-04-30 (Pacific/Pago_Pago)", "\(samoa.output)")
  }

  @Test func `explain takes the time that replay told, and tells it back`() throws {
    let folder = try TestFolder()
    let track = try folder.file("walk.gpx", Sample.walk())
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.004))
    func run(_ more: String...) -> CapturedConsole {
      let captured = CapturedConsole()
      let arguments = ["explain", track, "--zones", zones, "--zone", "Middle"] + more
      #expect(Proximity.run(arguments, on: captured.console) == 0, "\(captured.messages)")
      return captured
    }
    let utc = run("--at", "2026-05-01 08:04:00")
    let there = run("--at", "2026-05-01 13:34:00", "--time-zone", "Asia/Kolkata")
    #expect(utc.lines.count == there.lines.count && there.output.contains("T13:3"), "\(there.output)")
    #expect(there.output.contains("+05:30") && !there.output.contains("T08:"), "\(there.output)")
    let offset = run("--at", "2026-05-01T08:04:00Z", "--time-zone", "Asia/Kolkata")
    #expect(offset.output == there.output)
  }

  @Test(arguments: [
    ("Europe/Berln", "did you mean Europe/Berlin?"), ("Berlin", "did you mean Europe/Berlin?"),
    ("new york", "did you mean America/New_York?"), ("Neww_York", "did you mean America/New_York?"),
    ("Middle Earth", "UTC and local allowed"),
    ("", "UTC and local allowed"),
  ])
  func `a name that no zone has is answered with the one that was meant`(name: String, answer: String) {
    let captured = CapturedConsole()
    #expect(captured.run("replay", "a.gpx", "--zones", "a.pad", "--time-zone", name) == 2)
    #expect(captured.messages.contains(answer), "\(captured.messages)")
  }

  @Test(arguments: [
    // Clocks go forward at 1:00 UTC, and back at 1:00 UTC.
    ("2026-03-29 01:59:59", "2026-03-29T00:59:59.000Z"), ("2026-03-29 03:00:00", "2026-03-29T01:00:00.000Z"),
    ("2026-03-29 02:30:00", "2026-03-29T01:30:00.000Z"), ("2026-10-25 02:30:00", "2026-10-25T00:30:00.000Z"),
    ("2026-10-25 03:00:00", "2026-10-25T02:00:00.000Z"), ("2026-07-01", "2026-06-30T22:00:00.000Z"),
  ])
  func `where clocks are set, a time that is there twice is the first`(typed: String, utc: String) throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(instant(typed: typed, in: berlin).map(rfc3339) == utc)
  }

  @Test func `what is told to people reads back as the same moment, wherever they are`() throws {
    let names = TimeZone.knownTimeZoneIdentifiers.sorted()
    for seed in Seeds.few(300) {
      var random = SeededGenerator(seed: UInt64(seed))
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      let time = Instant(
        millisecondsSince1970: Int64.random(in: -3_000_000_000_000...4_000_000_000_000, using: &random))
      let told = try inZone(name) { timeWords(time) }
      #expect(instant(typed: told) == time, "seed \(seed): \(name) \(told)")
    }
  }

  @Test func `a report knows when the clocks are set`() throws {
    let start = try #require(instant(typed: "2026-03-28T12:00:00Z"))
    let offsets = try inZone("Europe/Berlin") { PrintedZone.offsets(from: start, to: start + .hours(24)) }
    #expect(offsets.map(\.seconds) == [3600, 7200])
    #expect(offsets.map { rfc3339($0.from) }.last == "2026-03-29T01:00:00.000Z")
    #expect(PrintedZone.offsets(from: start, to: start + .hours(24)).map(\.seconds) == [0])
  }
}
