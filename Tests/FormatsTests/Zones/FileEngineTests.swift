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
  private struct Refused: Error {}

  /// The forms and issues of a file that is given in pieces.
  /// - Throws: `Refused` if nothing of the file can be read.
  private func read(_ bytes: [UInt8], _ format: String, piece: Int = 1 << 20) throws -> (
    zones: [PageValue], issues: [PageValue]
  ) {
    var engine = FileEngine()
    var zones: [PageValue] = []
    var issues: [PageValue] = []
    func take(_ entries: [PageValue.Entry]) throws {
      var answer = try PageValue(cbor: engine.answer(PageValue.map(entries).cbor))
      if answer["refused"] != nil { throw Refused() }
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

  @Test(arguments: ReadOnlyZoneSamples.files.keys.sorted())
  func `a page gets the zones of formats that are only read, and tells them apart`(name: String) throws {
    let format = try #require(ZoneFormat(rawValue: name))
    let bytes = Array(try #require(ReadOnlyZoneSamples.files[name]).utf8)
    let program = try ZoneFile.read(data: Data(bytes), format: format)
    #expect(!program.zones.isEmpty)
    var engine = FileEngine()
    let told = engine.answer(
      PageValue.map([.init("ask", .text("zone_format")), .init("bytes", .bytes(bytes))]).cbor)
    #expect(try PageValue(cbor: told)["format"] == .text(Text(name)))
    let whole = try read(bytes, name)
    #expect(whole.zones == program.zones.map { ZoneForm.form(of: $0) })
    for piece in [1, 7, 100] {
      let page = try read(bytes, name, piece: piece)
      #expect(page.zones == whole.zones && page.issues == whole.issues, "pieces of \(piece)")
    }
    for seed in UInt64(0)..<60 {
      var generator = SeededGenerator(seed: seed)
      var damaged = bytes
      for _ in 0..<3 { damage(&damaged, &generator) }
      let whole = try? read(damaged, name)
      let page = try? read(damaged, name, piece: 3)
      #expect(page?.zones == whole?.zones && page?.issues == whole?.issues, "seed \(seed)")
    }
  }

  @Test func `a file of no format of zones has none`() throws {
    var engine = FileEngine()
    for text in ["", "nothing", "time,lat,lon\n1,2,3"] {
      let told = engine.answer(
        PageValue.map([.init("ask", .text("zone_format")), .init("bytes", .bytes(Array(text.utf8)))]).cbor)
      #expect(try PageValue(cbor: told)["format"] == .null)
    }
  }

  @Test func `the page's help names the formats of zones that the program reads`() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Web/scripts/files/formats.js")
    let text = try String(contentsOf: script, encoding: .utf8)
    let list = try #require(text.firstMatch(of: /zoneFormats = Object.values\(\{([^}]*)\}/)).1
    let named = list.matches(of: /(\w+): '([^']+)'/).map { (format: String($0.1), name: String($0.2)) }
    #expect(named.map(\.format) == ZoneFormat.allCases.map(\.rawValue))
    for (format, name) in zip(ZoneFormat.allCases, named.map(\.name)) where format != .pad {
      #expect(format.title.hasPrefix(name))
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
    ("csv", "name,lat,lon\nMill,95,8", "no_geometry", 2),
    ("gpx", "<gpx><wpt lat='x' lon='8'><name>Mill</name></wpt></gpx>", "no_geometry", 1),
    (
      "gpx", "<gpx>\n<rte><name>Mill</name><rtept lat='4' lon='800'/><rtept lat='5' lon='8'/></rte></gpx>",
      "bad_coordinate", 2
    ),
    ("traccar", #"[{"name":"Mill","area":"CIRCLE (47, 8)"}]"#, "no_geometry", 1),
    (
      "traccar", #"[{"name":"Mill","area":"CIRCLE (47 8, 50)","calendarId":3}]"#, "calendar_ignored", 1
    ),
    ("homeassistant", "zone:\n- name: Mill\n  latitude: north\n  longitude: 8", "no_geometry", 2),
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
    for format in ["csv", "gpx", "homeassistant"] {
      #expect(
        try refusal([
          .init("ask", .text("read_zones")), .init("format", .text(Text(format))),
          .init("bytes", .bytes(Array("else".utf8))), .init("last", .bool(true)),
        ]) == .text("unreadable"))
    }
    #expect(try refusal([.init("ask", .text("zone_format"))]) == .text("bytes"))
    #expect(
      engine.answer([0xff]) == PageValue.map([.init("refused", .map([.init("why", .text("unknown"))]))]).cbor)
  }
}
