import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("Exit status")
struct ExitStatusTests {
  @Test func `help is an answer, not a failure`() {
    for arguments in [["--help"], ["help", "replay"], ["locate", "-h"]] {
      let captured = CapturedConsole()
      #expect(Proximity.run(arguments, on: captured.console) == 0)
      #expect(captured.output.contains("USAGE: proximity"))
      #expect(captured.messages == "")
    }
  }

  @Test(arguments: [
    ["fly"], ["replay"], ["replay", "walk.gpx"], ["locate", "1,2"], ["replay", "walk.gpx", "--zones"],
    ["replay", "walk.gpx", "--zones", "z.pad", "--maximum-speed", "-3"],
    ["replay", "walk.gpx", "--zones", "z.pad", "--maximum-speed", "nan"],
    ["replay", "walk.gpx", "--zones", "z.pad", "--hdop-metres", "much"],
    ["replay", "walk.gpx", "--zones", "z.pad", "--assumed-date", "2026-02-30"],
    ["locate", "1,2", "--zones", "z.pad", "--default-radius", "0"],
    ["replay", "walk.gpx", "--zones", "z.pad", "--policy", "certified"],
  ])
  func `a command line that is not understood ends with 2`(arguments: [String]) {
    let captured = CapturedConsole()
    #expect(Proximity.run(arguments, on: captured.console) == 2, "\(captured.messages)")
    #expect(!captured.messages.isEmpty)
    #expect(captured.output == "")
  }

  @Test func `files that are not there end with 3 and are named`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let missingZones = CapturedConsole()
    #expect(missingZones.run("locate", "1,2", "--zones", folder.path("none.pad")) == 3)
    #expect(missingZones.messages.contains("none.pad"))
    let missingTrack = CapturedConsole()
    #expect(missingTrack.run("replay", folder.path("none.gpx"), "--zones", zones) == 3)
    #expect(missingTrack.messages.contains("none.gpx"))
  }

  @Test func `files of which nothing can be read end with 3`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let empty = try folder.file("empty.gpx", "")
    let noise = try folder.file("noise.gpx", "\u{1}\u{2}<<<>>>")
    for track in [empty, noise, folder.url.path] {
      let captured = CapturedConsole()
      #expect(captured.run("replay", track, "--zones", zones) == 3, "\(track): \(captured.messages)")
      #expect(captured.output == "")
    }
  }

  @Test func `a part that was left out ends with 1, and the rest is answered`() throws {
    let folder = try TestFolder()
    let zones = try folder.file(
      "zones.pad",
      Sample.circle("Good", 52, 13)
        + "AlertZoneStart,,,\nAlertZoneName,Bad,,\nAlertZoneActive,1\nAlertZoneEnd,,,\n")
    let captured = CapturedConsole()
    #expect(captured.run("locate", "52,13", "--zones", zones) == 1)
    #expect(captured.output.contains("Good"))
    #expect(captured.messages.contains("zones.pad:"), "\(captured.messages)")
    #expect(captured.messages.contains(": error: "))
  }

  @Test func `an option's mistake says what was found and what is allowed`() {
    let captured = CapturedConsole()
    _ = captured.run("replay", "walk.gpx", "--zones", "z.pad", "--maximum-speed", "99999")
    #expect(captured.messages.contains("99999"))
    #expect(captured.messages.contains("up to 12000 m/s allowed"))
  }

  @Test func `a reader that goes away early is no failure`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let console = Console(output: { (_) throws(OutputError) in throw .closed }, messages: { _ in })
    #expect(Proximity.run(["locate", "1,2", "--zones", zones], on: console) == 0)
  }

  @Test func `an answer that cannot be written is one`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let console = Console(output: { (_) throws(OutputError) in throw .failed(errno: 28) }, messages: { _ in })
    #expect(Proximity.run(["locate", "1,2", "--zones", zones], on: console) == 3)
  }

  @Test func `a report that cannot be written is named`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let track = try folder.file("walk.gpx", Sample.walk(steps: 3))
    let captured = CapturedConsole()
    #expect(
      captured.run("replay", track, "--zones", zones, "--report", folder.path("no/such/report.html")) == 3)
    #expect(captured.messages.contains("report.html"))
  }

  @Test func `the built program tells the shell the same`() throws {
    // Tests and program are built into one folder, which Foundation reports in different ways.
    let bundle = Bundle(for: CapturedConsole.self).bundleURL
    let program = try #require(
      [bundle, bundle.deletingLastPathComponent()].map { $0.appendingPathComponent("proximity") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    for (arguments, status) in [
      (["locate", "10.5,123.4", "--zones", zones], 0), (["locate", "--nonsense"], 2),
      (["locate", "1,2", "--zones", folder.path("none")], 3), (["--help"], 0),
    ] {
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(Int(process.terminationStatus) == status, "\(arguments)")
    }
  }
}
