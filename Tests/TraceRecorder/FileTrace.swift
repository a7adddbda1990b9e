import FileEngine
import Formats
import Foundation
import TestSupport
import WebEngine

/// Files of zones and tracks, whole and damaged, in pieces, zones to be written, and the native engine's answers.
enum FileTrace {
  /// How a format is asked for, and a file of it.
  private struct Kind {
    let name: String
    let ask: String
    let format: String
    let sample: (inout SeededGenerator) throws -> [UInt8]
  }

  private static var kinds: [Kind] {
    let zones = ZoneFormat.allCases.filter { $0 != .pad && $0 != .kmz }.map { format in
      Kind(name: format.rawValue, ask: "read_zones", format: format.rawValue) { try sample(format, &$0) }
    }
    let tracks = TrackSamples.all.enumerated().map { index, track in
      Kind(name: "track-\(index)-\(track.format)", ask: "read_track", format: track.format) { _ in
        Array(track.text.utf8)
      }
    }
    return zones + tracks
  }

  /// Writes `requests` and `answers` into a folder for each format; each entry follows its length in 32 bits.
  static func record(in folder: URL) throws {
    for kind in kinds {
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
        var bytes = try kind.sample(&generator)
        for _ in 0..<Int.random(in: 0..<4, using: &generator) { damage(&bytes, &generator) }
        let piece = Int.random(in: 1...max(1, bytes.count), using: &generator)
        let name = PageValue.Entry("ask", .text(.init(kind.ask)))
        ask([
          name, .init("format", .text(.init(kind.format))),
          .init("bytes", .bytes(Array(kind.ask == "read_track" ? bytes.prefix(piece) : []))),
          .init("now_ms", .integer(1_797_000_000_000)),
        ])
        let begun = kind.ask == "read_track" ? piece : 0
        for start in stride(from: begun, to: bytes.count, by: piece) {
          ask([name, .init("bytes", .bytes(Array(bytes[start..<min(start + piece, bytes.count)])))])
        }
        ask([name, .init("bytes", .bytes([])), .init("last", .bool(true))])
        ask([.init("ask", .text("zone_format")), .init("bytes", .bytes(bytes))])
      }
      try save(requests, answers, as: kind.name, in: folder)
    }
    for format in ["geojson", "kml"] { try recordWriting(format, in: folder) }
  }

  /// Zones to be written, some of them no zones.
  private static func recordWriting(_ format: String, in folder: URL) throws {
    var requests: [UInt8] = []
    var answers: [UInt8] = []
    var engine = FileEngine()
    for seed in UInt64(0)..<150 {
      var generator = SeededGenerator(seed: seed)
      for part in 0..<3 {
        var forms = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
          ZoneForm.form(of: ZoneSamples.zone(&generator))
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { forms.append(.map([.init("id", .text("none"))])) }
        var entries: [PageValue.Entry] = [
          .init("ask", .text("write_zones")), .init("zones", .list(forms)), .init("last", .bool(part == 2)),
        ]
        if part == 0 { entries.append(.init("format", .text(.init(format)))) }
        let request = PageValue.map(entries).cbor
        let answer = engine.answer(request)
        requests += littleEndian(request.count) + request
        answers += littleEndian(answer.count) + answer
      }
    }
    try save(requests, answers, as: "write-\(format)", in: folder)
  }

  private static func save(_ requests: [UInt8], _ answers: [UInt8], as name: String, in folder: URL) throws {
    let inner = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data(requests).write(to: inner.appendingPathComponent("requests"))
    try Data(answers).write(to: inner.appendingPathComponent("answers"))
  }

  private static func sample(_ format: ZoneFormat, _ generator: inout SeededGenerator) throws -> [UInt8] {
    if let sample = ReadOnlyZoneSamples.files[format.rawValue] { return Array(sample.utf8) }
    return Array(try format.encode((0..<3).map { _ in ZoneSamples.zone(&generator) }).data)
  }

  private static func littleEndian(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}
