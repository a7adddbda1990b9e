import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Zone readers and damaged files")
struct ZoneFuzzTests {
  @Test(arguments: ZoneFormat.allCases)
  func `damaged files give zones with areas, issues or an error`(format: ZoneFormat) throws {
    for seed in UInt64(0)..<400 {
      var generator = SeededGenerator(seed: seed)
      var bytes = try Self.valid(format, &generator)
      for _ in 0..<Int.random(in: 0..<6, using: &generator) { damage(&bytes, &generator) }
      do {
        let file = try ZoneFile.read(data: Data(bytes), format: format)
        for zone in file.zones {
          #expect((try? zone.shape(defaultRadius: .metres(50))) != nil, "seed \(seed): \(zone.name)")
        }
        #expect(Set(file.zones.map { $0.id }).count == file.zones.count, "seed \(seed)")
      } catch is ReadError {
        // Nothing could be read, and the error says so.
      }
    }
  }

  private static func valid(_ format: ZoneFormat, _ generator: inout SeededGenerator) throws -> [UInt8] {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      return (0..<Int.random(in: 0..<300, using: &generator)).map { _ in
        .random(in: 0...255, using: &generator)
      }
    default: break
    }
    if let sample = ReadOnlyZoneSamples.files[format.rawValue] { return Array(sample.utf8) }
    let zones = (0..<Int.random(in: 1...2, using: &generator)).map { _ in ZoneSamples.zone(&generator) }
    return Array(try format.encode(zones).data)
  }
}
