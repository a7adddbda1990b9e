import AlarmEngine
import Formats
import Geometry
import PAD
import Packs
import TestSupport

/// Packs made from a seed.
enum PackSamples {
  /// The same key in all tests: none depends on which it is.
  static let key: PackKey = {
    guard let key = try? PackKey(bytes: Array(1...32)) else { preconditionFailure("32 bytes are a key") }
    return key
  }()
  static let made = Instant(millisecondsSince1970: 1_790_000_000_000)

  static func version(_ number: Int64) -> PackVersion {
    guard let version = PackVersion(number) else { preconditionFailure("\(number) is a version") }
    return version
  }

  static func head(version number: Int64 = 5, madeAt: Instant = made) -> ZonePack.Head {
    ZonePack.Head(
      publicKey: key.publicKey, collection: 0xfeed_0000_0000_0001, version: version(number), madeAt: madeAt,
      renewBy: madeAt + .hours(24 * 7), name: "Ćuk quarry", about: "Blasting, cranes 🏗",
      publisher: "Stone & Co.")
  }

  /// Zones with every attribute, in ascending order of ids.
  static func entries(_ count: Int, _ generator: inout SeededGenerator) -> [ZonePack.Entry] {
    var zones: [ZoneID: Zone] = [:]
    while zones.count < count {
      let zone = ZoneSamples.zone(&generator)
      zones[zone.id] = zone
    }
    return zones.values.map { ZonePack.Entry(publishing: $0) }.sorted { $0.id < $1.id }
  }
}
