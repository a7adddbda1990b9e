import AlarmEngine
import Foundation
import Geometry
import TestSupport
import WebEngine

/// What one device saw, in the order in which it was told.
struct Trace {
  let fixes: [Fix]

  /// Rows that one call inserts: the same number as in `Tests/Wasm/replay.mjs`.
  static let rowsAtOnce = 100

  /// Writes `rows` and `end`, and the native engine's `answers` and `events`.
  func record(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var session = WebSession(device: DeviceID(rawValue: 1), settings: Settings(), zones: [])
    var answers: [UInt8] = []
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
    try write(littleEndian(rows.flatMap { $0 }), "rows")
    try write(littleEndian([Double(end.millisecondsSince1970)]), "end")
    try write(answers, "answers")
    try write(session.eventBytes, "events")
  }

  /// A wander at changing speed over about 2 km anywhere on earth, with noise, gaps, late and repeated fixes.
  static func random(seed: UInt64) -> Trace {
    var generator = SeededGenerator(seed: seed)
    var place = Coordinate(
      latitude: .degrees(generator.double(in: -89...89)),
      longitude: .degrees(generator.double(in: -180...180)))
    var time = Instant(millisecondsSince1970: 1_700_000_000_000)
    var heading = generator.double(in: 0...360)
    var fixes: [Fix] = []
    for _ in 0..<600 {
      let seconds =
        generator.double(in: 0...1) < 0.02 ? generator.double(in: 60...600) : generator.double(in: 1...10)
      let speed = generator.double(in: 0...3)
      heading += 25 * generator.normal()
      place = Geodesic.destination(
        from: place, azimuth: .degrees(heading.truncatingRemainder(dividingBy: 360)),
        distance: .metres(min(speed * seconds, 200)))
      time = time + .seconds(seconds)
      let accuracy = generator.double(in: 3...40)
      let seen = Geodesic.destination(
        from: place, azimuth: .degrees(generator.double(in: 0...360)),
        distance: .metres(abs(accuracy * generator.normal())))
      fixes.append(
        Fix(
          position: seen,
          accuracy: generator.double(in: 0...1) < 0.05 ? .unstated : .radius(.metres(accuracy)),
          measuredAt: time, receivedAt: time + .seconds(generator.double(in: 0...5)),
          speed: .metresPerSecond(speed)))
    }
    for _ in 0..<60 {
      let from = Int.random(in: 0..<fixes.count, using: &generator)
      let to = Int.random(in: 0..<fixes.count, using: &generator)
      if Bool.random(using: &generator) { fixes.swapAt(from, to) } else { fixes.insert(fixes[from], at: to) }
    }
    return Trace(fixes: fixes)
  }
}
