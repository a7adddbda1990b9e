import AlarmEngine
import FileEngine
import Formats
import Foundation
import TestSupport
import Testing
import WebEngine

/// The page reads files as the program does.
@Suite("Files of zones for a page")
struct FileEngineTests {
  /// The forms and issues of a file that is given in pieces.
  private func read(_ bytes: [UInt8], _ format: String, piece: Int = 1 << 20) throws -> (
    zones: [PageValue], issues: [PageValue]
  ) {
    var engine = FileEngine()
    var zones: [PageValue] = []
    var issues: [PageValue] = []
    func take(_ entries: [PageValue.Entry]) throws {
      var answer = try PageValue(cbor: engine.answer(PageValue.map(entries).cbor))
      #expect(answer["refused"] == nil)
      while true {
        if case .list(let found)? = answer["zones"] {
          for form in found {
            if case .bytes(let bytes) = form {
              zones.append(try PageValue(cbor: bytes))
            } else {
              zones.append(form)
            }
          }
        }
        if case .list(let found)? = answer["issues"] { issues += found }
        guard answer["more"] == .bool(true) else { return }
        answer = try PageValue(cbor: engine.answer(PageValue.map([.init("ask", .text("more_zones"))]).cbor))
      }
    }
    try take([
      .init("ask", .text("read_zones")), .init("format", .text(Text(format))), .init("bytes", .bytes([])),
    ])
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = Array(bytes[start..<min(start + piece, bytes.count)])
      try take([.init("ask", .text("read_zones")), .init("bytes", .bytes(part))])
    }
    try take([.init("ask", .text("read_zones")), .init("bytes", .bytes([])), .init("last", .bool(true))])
    return (zones, issues)
  }

  @Test(arguments: [ZoneFormat.geojson, .kml, .owntracks])
  func `a page gets the zones that the program reads, in pieces of any size`(format: ZoneFormat) throws {
    for seed in UInt64(0)..<20 {
      var generator = SeededGenerator(seed: seed)
      let bytes = Array(try format.encode((0..<4).map { _ in ZoneSamples.zone(&generator) }).data)
      let program = try ZoneFile.read(data: Data(bytes), format: format)
      for piece in [1, 7, 1000, 1 << 20] {
        let page = try read(bytes, format.rawValue, piece: piece)
        #expect(page.zones == program.zones.map { ZoneForm.form(of: $0) }, "seed \(seed), pieces of \(piece)")
      }
    }
  }

  @Test func `more zones than one answer holds come one portion after the other`() throws {
    let features = (0..<1201).map {
      #"{"type":"Feature","properties":{"name":"\#($0)"},"geometry":{"type":"Point","coordinates":[8,47]}}"#
    }
    let text = #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    let page = try read(Array(text.utf8), "geojson")
    #expect(page.zones.map { $0["name"] } == (0..<1201).map { .text(Text("\($0)")) })
    #expect(page.issues == [])
  }

  @Test(arguments: [
    ("openair", "AC D\nAN Mill\nDC 5", "no_center", 3),
    ("openair", "AC D\nAN Mill\nAL 300 AGL", "height_unknown", 3),
    (
      "geojson",
      #"{"type":"Feature","properties":{"name":"Mill","radius":"x"},"geometry":{"type":"Point","coordinates":[8,47]}}"#,
      "bad_size", 1
    ),
    (
      "geojson",
      #"{"type":"Feature","properties":{"name":"Mill"},"geometry":{"type":"Point","coordinates":[8,470]}}"#,
      "no_geometry", 1
    ),
    (
      "kml",
      "<kml><Placemark><name>Mill</name><Point><coordinates>8;47</coordinates></Point></Placemark></kml>",
      "no_geometry", 1
    ),
  ])
  func `an issue has its line, its zone and a word for the page`(
    format: String, text: String, why: String, line: Int
  ) throws {
    let page = try read(Array(text.utf8), format)
    let issue = try #require(page.issues.first)
    #expect(issue["why"] == .text(Text(why)) && issue["line"] == .integer(Int64(line)))
    #expect(issue["zone"] == .text("Mill"))
  }

  @Test func `a request that is none, and a file that cannot be read at all, are refused`() throws {
    var engine = FileEngine()
    func refusal(_ entries: [PageValue.Entry]) throws -> PageValue? {
      try PageValue(cbor: engine.answer(PageValue.map(entries).cbor))["refused"]?["why"]
    }
    #expect(try refusal([.init("ask", .text("else"))]) == .text("unknown"))
    #expect(try refusal([.init("ask", .text("read_zones")), .init("bytes", .bytes([]))]) == .text("format"))
    #expect(
      try refusal([.init("ask", .text("read_zones")), .init("format", .text("kml"))]) == .text("bytes"))
    #expect(
      try refusal([
        .init("ask", .text("read_zones")), .init("format", .text("kml")),
        .init("bytes", .bytes(Array("<html></html>".utf8))), .init("last", .bool(true)),
      ]) == .text("unreadable"))
    #expect(
      engine.answer([0xff]) == PageValue.map([.init("refused", .map([.init("why", .text("unknown"))]))]).cbor)
  }
}
