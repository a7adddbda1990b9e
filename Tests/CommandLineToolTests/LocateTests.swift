import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("locate")
struct LocateTests {
  private func locate(_ arguments: String...) throws -> (status: Int32, captured: CapturedConsole) {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.padExample)
    let captured = CapturedConsole()
    return (Proximity.run(["locate"] + arguments + ["--zones", zones], on: captured.console), captured)
  }

  @Test func `a place outside an outset zone is told in both distances`() throws {
    let (status, captured) = try locate("10.6,124.41")
    #expect(status == 0)
    #expect(
      captured.output
        == "A name  outside by 1064.32 m (1094.32 m from the outline, outset by 30 m); alert distance 10 m\n")
    #expect(captured.messages == "")
  }

  @Test func `a corner of an outset zone is inside`() throws {
    let (status, captured) = try locate("10.5,123.4")
    #expect(status == 0)
    #expect(captured.output.hasPrefix("A name  inside by 30.00 m (0.00 m from the outline, outset by 30 m)"))
  }

  @Test func `for programs there is one object with the contract's keys in their order`() throws {
    let (_, captured) = try locate("10.6,124.41", "--json")
    let line = try #require(captured.lines.first)
    #expect(captured.lines.count == 1)
    #expect(
      line.hasPrefix(#"{"zone":"A name","zone_id":""#)
        && line.hasSuffix(
          #"","inside":false,"distance_m":1064.323,"outline_distance_m":1094.323,"alert_distance_m":10.000}"#),
      "\(line)")
    let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let object = try #require(parsed as? [String: Any])
    #expect(
      Set(object.keys) == [
        "zone", "zone_id", "inside", "distance_m", "outline_distance_m", "alert_distance_m",
      ])
  }

  @Test func `a southern place is an argument, wherever it stands`() throws {
    for arguments in [
      ["-33.9,151.2", "--json"], ["--json", "-33.9,151.2"], ["--json", "--", "-33.9,151.2"],
    ] {
      let folder = try TestFolder()
      let zones = try folder.file("zones.pad", Sample.padExample)
      let captured = CapturedConsole()
      let rest = arguments.contains("--") ? ["--zones", zones] + arguments : arguments + ["--zones", zones]
      #expect(
        Proximity.run(["locate"] + rest, on: captured.console) == 0, "\(arguments): \(captured.messages)")
      #expect(captured.lines.count == 1)
    }
  }

  @Test(arguments: [
    ("95,0", "latitude 95.0 found, -90 to 90 allowed"),
    ("1,361", "longitude 361.0 found, -360 to 360 allowed"),
    ("here", "LAT,LON in decimal degrees allowed"), ("1,2,3", "LAT,LON"), ("nan,0", "latitude nan found"),
    ("-91,0", "latitude -91.0 found"),
  ])
  func `a place that is none is bad usage and says what is allowed`(place: String, words: String) throws {
    let (status, captured) = try locate(place)
    #expect(status == 2)
    #expect(captured.messages.contains(words), "\(captured.messages)")
    #expect(captured.output == "")
  }

  @Test func `zones of several files come nearest first`() throws {
    let folder = try TestFolder()
    let near = try folder.file("near.pad", Sample.circle("Near", 52, 13.01))
    let far = try folder.file("far.pad", Sample.circle("Far", 52, 14) + Sample.circle("Here", 52, 13))
    let captured = CapturedConsole()
    #expect(captured.run("locate", "52,13", "--zones", far, "--zones", near) == 0)
    #expect(
      captured.lines.map { $0.prefix(5).trimmingCharacters(in: .whitespaces) } == ["Here", "Near", "Far"])
    #expect(captured.lines[0].contains("inside by 100.00 m"))
  }
}
