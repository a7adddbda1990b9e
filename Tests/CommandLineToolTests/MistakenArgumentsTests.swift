import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

/// Messages for arguments that were mistyped or confused with others.
@Suite("Mistaken arguments")
struct MistakenArgumentsTests {
  @Test(arguments: [
    (["replya", "walk.gpx"], "did you mean replay?"), (["plcaes"], "did you mean places?"),
    (["zones", "chekc", "a.pad"], "chekc is not a command; did you mean check?"),
    (["zones", "convert", "a.pad", "--to", "geojsn"], "geojsn found; did you mean geojson?"),
    (["zones", "check", "a.pad", "--zone-format", "owntrack"], "did you mean owntracks?"),
    (["replay", "a.gpx", "--zones", "a.pad", "--track-format", "geojosn"], "did you mean geojson?"),
  ]) func `a name that is nearly one is answered with the one`(arguments: [String], answer: String) {
    let captured = CapturedConsole()
    #expect(Proximity.run(arguments, on: captured.console) == 2)
    #expect(captured.messages.contains(answer), "\(captured.messages)")
  }

  @Test(arguments: [
    ["simulate"], ["simulate", "walk.gpx", "--zones", "a.pad"], ["simulate", "--report", "a.html"],
  ]) func `a command of the other program is answered with that program`(arguments: [String]) {
    let captured = CapturedConsole()
    #expect(Proximity.run(arguments, on: captured.console) == 2)
    #expect(captured.messages.contains("proximity-lab simulate"), "\(captured.messages)")
  }

  @Test func `only what can be written is a format to write`() {
    let captured = CapturedConsole()
    #expect(captured.run("zones", "convert", "a.pad", "--to", "openair") == 2)
    #expect(captured.messages.contains("openair found, pad, geojson, kml, kmz, owntracks allowed"))
  }

  @Test func `track and zones in each other's place are named`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let track = try folder.file("track.csv", "time,lat,lon\n2026-05-16T09:00:00Z,52,13\n")
    let captured = CapturedConsole()
    #expect(captured.run("replay", zones, "--zones", track) == 3)
    #expect(captured.messages.contains("It contains a track: name the track first"), "\(captured.messages)")
    let alone = CapturedConsole()
    #expect(alone.run("replay", zones, "--zones", zones) == 3)
    #expect(alone.messages.contains("It contains zones"), "\(alone.messages)")
  }

  @Test func `a folder that is not there is called a folder`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let captured = CapturedConsole()
    #expect(captured.run("replay", folder.path("none/track.gpx"), "--zones", zones) == 3)
    #expect(captured.messages.contains("there is no folder"), "\(captured.messages)")
    let writing = CapturedConsole()
    let output = folder.path("gone/z.geojson")
    #expect(writing.run("zones", "convert", zones, "--to", "geojson", "-o", output) == 3)
    #expect(writing.messages.contains("there is no folder \(folder.path("gone"))"), "\(writing.messages)")
  }

  @Test func `a folder in place of a file is called a folder`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    for arguments in [
      ["replay", folder.url.path, "--zones", zones], ["replay", zones, "--zones", folder.url.path],
      ["zones", "check", folder.url.path], ["pack", "check", folder.url.path],
    ] {
      let captured = CapturedConsole()
      #expect(Proximity.run(arguments, on: captured.console) == 3)
      #expect(captured.messages.contains("is a folder"), "\(arguments): \(captured.messages)")
    }
  }

  @Test func `a place may be written as two numbers`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.circle("Good", -33.8, 151.2))
    for place in [["-33.8,151.2"], ["-33.8", "151.2"]] {
      let captured = CapturedConsole()
      #expect(Proximity.run(["locate"] + place + ["--zones", zones], on: captured.console) == 0)
      #expect(captured.output.contains("inside"), "\(captured.messages)")
    }
  }

  @Test func `a track whose times are wrong is not taken for zones`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let track = try folder.file(
      "track.geojson",
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[8,47],[8,48]]},"properties":{"times":[1,2,3]}}"#
    )
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones) == 3)
    #expect(captured.messages.contains("2 positions and 3 times"), "\(captured.messages)")
    #expect(!captured.messages.contains("It contains"))
  }
}
