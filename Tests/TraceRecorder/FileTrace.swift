import FileEngine
import Formats
import Foundation
import TestSupport
import WebEngine

/// Files of zones, whole and damaged, in pieces, and the native reader's answers.
enum FileTrace {
  /// Writes `requests` and `answers` into a folder for each format; each entry follows its length in 32 bits.
  static func record(in folder: URL) throws {
    for format in [ZoneFormat.geojson, .kml, .openair, .owntracks] {
      var requests: [UInt8] = []
      var answers: [UInt8] = []
      var engine = FileEngine()
      func ask(_ entries: [PageValue.Entry]) {
        let request = PageValue.map(entries).cbor
        let answer = engine.answer(request)
        requests += littleEndian(request.count) + request
        answers += littleEndian(answer.count) + answer
      }
      for seed in UInt64(0)..<150 {
        var generator = SeededGenerator(seed: seed)
        var bytes = try sample(format, &generator)
        for _ in 0..<Int.random(in: 0..<4, using: &generator) { damage(&bytes, &generator) }
        let piece = Int.random(in: 1...max(1, bytes.count), using: &generator)
        ask([
          .init("ask", .text("read_zones")), .init("format", .text(.init(format.rawValue))),
          .init("bytes", .bytes([])),
        ])
        for start in stride(from: 0, to: bytes.count, by: piece) {
          ask([
            .init("ask", .text("read_zones")),
            .init("bytes", .bytes(Array(bytes[start..<min(start + piece, bytes.count)]))),
          ])
        }
        ask([.init("ask", .text("read_zones")), .init("bytes", .bytes([])), .init("last", .bool(true))])
      }
      let inner = folder.appendingPathComponent(format.rawValue)
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      try Data(requests).write(to: inner.appendingPathComponent("requests"))
      try Data(answers).write(to: inner.appendingPathComponent("answers"))
    }
  }

  private static func sample(_ format: ZoneFormat, _ generator: inout SeededGenerator) throws -> [UInt8] {
    guard format != .openair else { return Array(airspace.utf8) }
    return Array(try format.encode((0..<3).map { _ in ZoneSamples.zone(&generator) }).data)
  }

  private static let airspace = """
    AC D
    AN One
    AH 8400 ft
    AL 1000 ft AGL
    V X=39:29.7 N 119:46.5 W
    DC 5
    AC C
    AN Two
    AH FL95
    V D=-
    DA 10, 270, 290
    DB 39:36.8 N 119:46.1W , 39:29.9 N 119:36.1W
    DP 39:20.0 N 119:30.0 W
    DY 39:20.0 N 119:30.0 W
    """

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}
