import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("proximity zones check, what it counts and advises")
struct ZonesCheckWordsTests {
  private func check(_ text: String, _ name: String, json: Bool = false) throws -> (Int32, CapturedConsole) {
    let file = try TestFolder().file(name, text)
    let captured = CapturedConsole()
    return (
      Proximity.run(["zones", "check", file] + (json ? ["--json"] : []), on: captured.console), captured
    )
  }

  private static let unnamed = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"radius":50},"geometry":{"type":"Point","coordinates":[13.25,53.5]}},
    {"type":"Feature","properties":{"radius":4.4},"geometry":{"type":"Point","coordinates":[13.5,53.5]}}]}
    """

  @Test func `zones without a name are told by their line and place`() throws {
    let (status, captured) = try check(Self.unnamed, "z.geojson")
    #expect(status == 0)
    #expect(
      captured.lines.contains { $0.hasPrefix("(no name, line 2, 53.50000,13.25000)") }, "\(captured.output)")
    #expect(
      captured.output.hasSuffix("z.geojson: 2 zones, no error, no warning, 1 with advice\n"),
      "\(captured.output)")
  }

  @Test func `a zone thinner than a phone's error gets an advice, which is no fault`() throws {
    let (status, captured) = try check(Self.unnamed, "z.geojson")
    #expect(status == 0)
    #expect(
      captured.messages.contains(
        ":3: advice: zone (no name, line 3, 53.50000,13.50000): reaches only 4.4 m from its middle line"),
      "\(captured.messages)")
    #expect(captured.messages.contains("5 to 15 m"))
    let helped = Self.unnamed.replacing(#""radius":4.4"#, with: #""radius":4.4,"alarm_alert_distance_m":40"#)
    #expect(try check(helped, "z.geojson").1.messages == "")
  }

  @Test func `a mistyped key ends with 1 and is counted, for programs too`() throws {
    let text = Self.unnamed.replacing(#""radius":50"#, with: #""radius":50,"alarm_inset":-120"#)
    let (status, captured) = try check(text, "z.geojson")
    #expect(status == 1)
    #expect(
      captured.messages.contains(
        "z.geojson:2: error: zone without a name: alarm_inset found, which is not known; did you mean"))
    #expect(captured.output.hasSuffix("z.geojson: 2 zones, 1 error, no warning, 1 with advice\n"))
    let (_, json) = try check(text, "z.geojson", json: true)
    #expect(json.messages == "")
    for line in json.lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(json.lines.count { $0.contains(#""event":"advice""#) } == 1)
    #expect(
      json.lines.last?.hasSuffix(#""zones":2,"errors":1,"warnings":0,"advices":1}"#) == true,
      "\(json.lines.last ?? "")")
  }

  @Test func `conversion keeps what other programs say, or names it`() throws {
    let folder = try TestFolder()
    let file = try folder.file(
      "z.geojson",
      #"{"type":"Feature","id":"w1","properties":{"name":"a","colour":"red"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    )
    let kept = CapturedConsole()
    #expect(kept.run("zones", "convert", file, "--to", "geojson") == 0, "\(kept.messages)")
    #expect(kept.output.contains(#""id":"w1""#) && kept.output.contains(#""colour":"red""#), "\(kept.output)")
    let named = CapturedConsole()
    #expect(named.run("zones", "convert", file, "--to", "pad") == 1)
    #expect(named.messages.contains("\"colour\"") && named.messages.contains("left out"), "\(named.messages)")
  }
}
