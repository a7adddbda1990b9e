import AlarmEngine
import FileEngine
import Formats
import Foundation
import TestSupport
import Testing
import WebEngine

/// The page reads tracks as the program does.
@Suite("Tracks for a page")
struct TrackReadingTests {
  private let now = Instant.system

  private struct Read {
    var rows: [[Double]] = []
    var last = PageValue.null
  }

  /// The rows and the summary of a file that is given in pieces.
  private func read(_ bytes: [UInt8], _ format: String, piece: Int = 1 << 20) throws -> Read {
    var engine = FileEngine()
    var found = Read()
    func take(_ entries: [PageValue.Entry]) throws {
      let answer = try PageValue(cbor: engine.answer(PageValue.map(entries).cbor))
      #expect(answer["refused"] == nil)
      found.last = answer
      var part = answer
      while true {
        if case .bytes(let bytes)? = part["rows"] { found.rows += numbers(bytes) }
        guard part["more"] == .bool(true) else { return }
        part = try PageValue(cbor: engine.answer(PageValue.map([.init("ask", .text("more_rows"))]).cbor))
      }
    }
    let name = PageValue.Entry("ask", .text("read_track"))
    try take([
      name, .init("format", .text(Text(format))), .init("now_ms", .integer(now.millisecondsSince1970)),
      .init("bytes", .bytes(Array(bytes.prefix(piece)))),
    ])
    for start in stride(from: piece, to: bytes.count, by: piece) {
      try take([name, .init("bytes", .bytes(Array(bytes[start..<min(start + piece, bytes.count)])))])
    }
    try take([name, .init("bytes", .bytes([])), .init("last", .bool(true))])
    return found
  }

  private func numbers(_ bytes: [UInt8]) -> [[Double]] {
    let numbers = stride(from: 0, to: bytes.count, by: 8).map { at in
      Double(bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) })
    }
    return stride(from: 0, to: numbers.count, by: FixRow.width).map { Array(numbers[$0..<$0 + FixRow.width]) }
  }

  /// In the order of time; the page mixes devices, which the program keeps apart.
  private func ordered(_ rows: [[Double]]) -> [[UInt64]] {
    rows.sorted { ($0[3], $0[0]) < ($1[3], $1[0]) }.map { $0.map(\.bitPattern) }
  }

  @Test(arguments: TrackSamples.all.indices)
  func `a page gets the positions that the program reads, in pieces of any size`(sample: Int) throws {
    let (format, text) = TrackSamples.all[sample]
    let program = try TrackFile.read(
      data: Data(text.utf8), format: format == "json" ? nil : TrackFormat(rawValue: format))
    let rows = program.devices.flatMap(\.points).map { FixRow.numbers($0.fix) }
    #expect(!rows.isEmpty)
    for piece in [1, 7, 100, 1 << 20] where format != "json" || piece >= 100 {
      #expect(
        ordered(try read(Array(text.utf8), format, piece: piece).rows) == ordered(rows), "pieces of \(piece)")
    }
  }

  @Test func `what is left out is counted, and the file's name for the track is told`() throws {
    let last = try read(Array(TrackSamples.all[0].text.utf8), "gpx").last
    #expect(last["name"] == .text("Way & back") && last["timed"] == .bool(true))
    #expect(last["untimed"] == .integer(1) && last["impossible"] == .integer(1))
    #expect(last["why"] == .text("latitude") && last["damaged"] == .integer(0))
    #expect(last["moved"] == .integer(1))
    let cut = try read(Array("<gpx><trk><trkpt lat=\"1\"".utf8), "gpx").last
    #expect(cut["damaged"] == .integer(1) && cut["timed"] == .bool(false))
  }

  @Test(arguments: [
    ("lat,lon,time\n1,2,3", true), ("# a log\nlat;lon;time\n", true), ("AC D\nAN One\nDC 5\n", false),
    ("AlertZoneStart\nAlertZoneName,lat\n", false), ("", false),
  ])
  func `a table is told by its header`(text: String, isTable: Bool) throws {
    var engine = FileEngine()
    let asked = PageValue.map([.init("ask", .text("is_table")), .init("bytes", .bytes(Array(text.utf8)))])
    #expect(try PageValue(cbor: engine.answer(asked.cbor))["table"] == .bool(isTable))
  }

  @Test func `a request that is none, and a file of another kind, are refused`() throws {
    var engine = FileEngine()
    let name = PageValue.Entry("ask", .text("read_track"))
    func refusal(_ entries: [PageValue.Entry]) throws -> PageValue? {
      try PageValue(cbor: engine.answer(PageValue.map(entries).cbor))["refused"]?["why"]
    }
    #expect(try refusal([.init("ask", .text("more_rows"))]) == .text("format"))
    #expect(try refusal([name]) == .text("bytes"))
    #expect(try refusal([name, .init("bytes", .bytes([]))]) == .text("format"))
    let gpx = PageValue.Entry("format", .text("gpx"))
    #expect(try refusal([name, gpx, .init("bytes", .bytes([]))]) == .text("now_ms"))
    let now = PageValue.Entry("now_ms", .integer(0))
    #expect(
      try refusal([name, .init("format", .text("fit")), now, .init("bytes", .bytes([]))]) == .text("format"))
    let svg = PageValue.Entry("bytes", .bytes(Array("<svg/>".utf8)))
    #expect(try refusal([name, gpx, now, svg, .init("last", .bool(true))]) == .text("unreadable"))
  }
}
