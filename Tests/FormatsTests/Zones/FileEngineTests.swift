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

  @Test(arguments: [ZoneFormat.geojson, .kml])
  func `a page writes the bytes that the program writes, and reads them back as equal zones`(
    format: ZoneFormat
  ) throws {
    for seed in UInt64(0)..<40 {
      var generator = SeededGenerator(seed: seed)
      let zones = (0..<Int.random(in: 0...7, using: &generator)).map { _ in ZoneSamples.zone(&generator) }
      let program = Array(try format.encode(zones).data)
      for portion in [1, 3, 8] {
        var engine = FileEngine()
        let file = try write(zones.map { ZoneForm.form(of: $0) }, format, portion: portion, &engine)
        #expect(file.bytes == program, "seed \(seed), portions of \(portion)")
        #expect(file.leftOut == 0)
      }
      let read = try read(program, format.rawValue)
      #expect(read.zones == zones.map { ZoneForm.form(of: $0) }, "seed \(seed)")
    }
  }

  @Test func `forms that are no zones are left out and counted`() throws {
    var generator = SeededGenerator(seed: 3)
    let zone = ZoneSamples.zone(&generator)
    let bad: [PageValue] = [
      .integer(3), .map([]), .map([.init("id", .text("zone"))]),
      .map([.init("id", .text(Text(zone.id.description))), .init("places", .text("here"))]),
    ]
    for format in [ZoneFormat.geojson, .kml] {
      var engine = FileEngine()
      let file = try write(bad + [ZoneForm.form(of: zone)], format, portion: 2, &engine)
      #expect(file.bytes == Array(try format.encode([zone]).data))
      #expect(file.leftOut == bad.count)
    }
  }

  private func write(_ forms: [PageValue], _ format: ZoneFormat, portion: Int, _ engine: inout FileEngine)
    throws -> (bytes: [UInt8], leftOut: Int)
  {
    var written: (bytes: [UInt8], leftOut: Int) = ([], 0)
    var from = 0
    repeat {
      let part = Array(forms[from..<min(from + portion, forms.count)])
      var request: [PageValue.Entry] = [.init("ask", .text("write_zones")), .init("zones", .list(part))]
      if from == 0 { request.append(.init("format", .text(Text(format.rawValue)))) }
      from += portion
      if from >= forms.count { request.append(.init("last", .bool(true))) }
      let answer = try PageValue(cbor: engine.answer(PageValue.map(request).cbor))
      guard case .bytes(let bytes)? = answer["bytes"], case .integer(let leftOut)? = answer["left_out"] else {
        Issue.record("\(answer)")
        return written
      }
      written.bytes += bytes
      written.leftOut += Int(leftOut)
    } while from < forms.count
    return written
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
    let write = PageValue.Entry("ask", .text("write_zones"))
    #expect(try refusal([write, .init("zones", .list([]))]) == .text("format"))
    #expect(
      try refusal([write, .init("zones", .list([])), .init("format", .text("openair"))]) == .text("format"))
    #expect(try refusal([write, .init("format", .text("kml"))]) == .text("zones"))
    #expect(
      try refusal([
        .init("ask", .text("read_zones")), .init("format", .text("kml")),
        .init("bytes", .bytes(Array("<html></html>".utf8))), .init("last", .bool(true)),
      ]) == .text("unreadable"))
    #expect(
      engine.answer([0xff]) == PageValue.map([.init("refused", .map([.init("why", .text("unknown"))]))]).cbor)
  }
}
