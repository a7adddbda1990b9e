import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Formats
import Geometry
import Testing

@testable import CommandLineTool

@Suite("Zones that cannot ring")
struct UnwatchedZoneTests {
  @Test func `of one id one zone watches, the other is an error, and the same zone twice is one`() throws {
    let first = UnusedFixTests.zone(7, "First", second: 40)
    let other = UnusedFixTests.zone(7, "Other", second: 10)
    let run = try UnusedFixTests.run((0..<60).map { UnusedFixTests.fix($0) }, zones: [first, other, first])
    #expect(run.zones.count == 1 && run.unwatched.count == 1)
    let left = try #require(run.unwatched.first)
    #expect(left.isRefused && left.name != run.zones[0].zone.name)
    let captured = CapturedConsole()
    var files = InputFiles(console: captured.console)
    files.tell(run.unwatched)
    #expect(files.status == .findings)
    #expect(
      captured.messages.hasPrefix("error: zone \(left.name.string) is not watched: its id belongs to"),
      "\(captured.messages)")
  }

  @Test func `a zone that its inset empties is warned of, and stands on the page`() throws {
    let folder = try TestFolder()
    let track = try folder.file("walk.gpx", Sample.walk())
    let emptied = Sample.circle("Gone", 52, 13.006).replacingOccurrences(
      of: "AlertDistance", with: "AlertZoneInset,130\nAlertDistance")
    let zones = try folder.file("zones.pad", emptied + Sample.circle("Middle", 52, 13.006))
    let captured = CapturedConsole()
    let report = folder.path("report.html")
    #expect(captured.run("replay", track, "--zones", zones, "--report", report) == 0)
    #expect(
      captured.messages.contains("warning: zone Gone can never alarm: the inset of 130 m"),
      "\(captured.messages)")
    let page = try folder.text("report.html")
    #expect(page.contains("1 problem with the zones") && page.contains("<b>Gone</b>can never alarm"))
  }

  @Test func `a zone that its file does not tell enough of is an error, and stands on the page`() throws {
    let folder = try TestFolder()
    let track = try folder.file("walk.gpx", Sample.walk())
    let empty = "AlertZoneStart,,,\nAlertZoneName,Empty <b>,,\nAlertZoneSize,50\nAlertZoneEnd,,,\n"
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.006) + empty)
    let captured = CapturedConsole()
    #expect(captured.run("replay", track, "--zones", zones, "--report", folder.path("r.html")) == 1)
    let page = try folder.text("r.html")
    #expect(page.contains("Zones with problems") && page.contains("no usable location found"))
    #expect(page.contains("Empty &lt;b&gt;") && page.contains("zones.pad, line "))
  }

  @Test func `a zone that the engine refuses is not watched because of something`() {
    let zone = UnwatchedZone(name: "Lost", reason: ZoneError.noLocations.message, isRefused: true)
    #expect(
      ZoneProblem(zone).words == "not watched: no locations found, at least one is needed")
  }
}
