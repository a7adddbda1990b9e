import AlarmEngine
import Foundation
import TestSupport
import Testing
import WebEngine

/// The journeys that the page replays to check that alarms are right on a device (`Web/check`).
@Suite("The page's self-check (S221)")
struct SelfCheckTests {
  private struct Expected: Decodable {
    let end: Double
    let events: Int
    let hash: String

    private enum CodingKeys: String, CodingKey {
      case end = "end_ms"
      case events, hash
    }
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../Web/check").standardizedFileURL

  /// FNV-1a, 64 bits; the same as in `Web/scripts/engine/self-check.js`.
  private func hash(_ bytes: [UInt8]) -> String {
    let sum = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
  }

  @Test(arguments: ["journey", "wander"])
  func `the events of a recorded journey are those that the page expects`(name: String) throws {
    let all = try JSONDecoder().decode([String: Expected].self, from: Data(try read("expected.json")))
    #expect(all.keys.sorted() == ["journey", "wander"])
    let expected = try #require(all[name])
    let rows = try read("\(name).rows")
    let numbers = stride(from: 0, to: rows.count, by: 8).map { start in
      Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(rows[start + $1]) << UInt64(8 * $1) })
    }
    var session = WebSession(
      device: DeviceID(rawValue: 1), settings: Settings(), pad: try read("\(name).pad"))
    let width = FixRow.width * 100
    for start in stride(from: 0, to: numbers.count, by: width) {
      _ = session.insert(rows: Array(numbers[start..<min(start + width, numbers.count)]))
    }
    let end = try #require(FixRow.instant(milliseconds: expected.end))
    _ = session.advance(to: end)
    let bytes = session.eventBytes
    let count = bytes[1..<5].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    #expect(count == expected.events)
    // If the engine's decisions are changed on purpose, the hash found here goes into expected.json.
    #expect(hash(bytes) == expected.hash)
  }
}
