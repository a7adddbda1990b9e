import AlarmEngine
import Foundation
import Geometry
import TestSupport
import WebEngine

/// The fixes of one device, in the order in which they were given to the engine.
struct Trace {
  let name: String
  let pad: [UInt8]
  let fixes: [Fix]

  /// Rows inserted by one call; the same number as in `Tests/Wasm/replay.mjs`.
  static let rowsAtOnce = 100

  /// Writes `zones`, `rows` and `end`, the native engine's `answers` and `events`, and if `asPhone`, the same
  /// for a phone.
  func record(in parent: URL, asPhone: Bool = true) throws {
    let folder = parent.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var session = WebSession(device: DeviceID(rawValue: 1), settings: Settings(), pad: pad)
    var answers = session.startBytes
    let rows = fixes.map(FixRow.numbers)
    for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
      let some = rows[start..<min(start + Self.rowsAtOnce, rows.count)]
      answers += session.insert(rows: some.flatMap { $0 }).bytes
    }
    let end = (fixes.map(\.measuredAt).max() ?? Instant(millisecondsSince1970: 0)) + .minutes(10)
    answers += session.advance(to: end).bytes

    func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
    func littleEndian(_ numbers: [Double]) -> [UInt8] {
      numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init) }
    }
    try write(pad, "zones")
    try write(littleEndian(rows.flatMap { $0 }), "rows")
    try write(littleEndian([Double(end.millisecondsSince1970)]), "end")
    try write(answers, "answers")
    try write(session.eventBytes, "events")
    if asPhone { try recordPhone(in: folder, seed: UInt64(fixes.count + pad.count)) }
  }
}
