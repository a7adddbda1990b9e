import AlarmEngine
import Formats
import Foundation

/// A parser and what must hold of it, whatever the bytes.
struct Parser: Sendable {
  let name: String
  let check: @Sendable ([UInt8]) -> Void

  static let all: [Parser] =
    [
      Parser(name: "events", check: events), Parser(name: "snapshot", check: snapshot),
      Parser(name: "pad", check: pad),
    ]
    + TrackFormat.allCases.map { format in
      Parser(name: "track-\(format.rawValue)") { bytes in
        _ = try? TrackFile.read(data: Data(bytes), name: "fuzz", format: format)
      }
    }
    + ZoneFormat.allCases.filter { $0 != .pad }.map { format in
      Parser(name: "zones-\(format.rawValue)") { bytes in
        guard let file = try? ZoneFile.read(data: Data(bytes), format: format) else { return }
        for zone in file.zones { _ = try? zone.shape(defaultRadius: .metres(50)) }
      }
    }

  @Sendable private static func events(_ bytes: [UInt8]) {
    guard let events = try? EventBytes.decode(bytes) else { return }
    precondition(EventBytes.encode(events) == bytes, "the same events have other bytes")
  }

  /// Zones that were read are written as PAD that reads back as the same zones.
  @Sendable private static func pad(_ bytes: [UInt8]) {
    let zones = PADReader.read(bytes).zones
    let writer = PADWriter.write(zones)
    guard writer.issues.isEmpty else { return }
    let again = PADReader.read(writer.bytes)
    precondition(again.zones == zones, "the same zones are read back as others")
  }
}
