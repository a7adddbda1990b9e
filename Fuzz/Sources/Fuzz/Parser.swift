import AlarmEngine
import Formats
import Foundation

/// A parser and what must hold of it, whatever the bytes.
struct Parser: Sendable {
  let name: String
  let check: @Sendable ([UInt8]) -> Void

  static let all: [Parser] =
    [Parser(name: "events", check: events)]
    + TrackFormat.allCases.map { format in
      Parser(name: "track-\(format.rawValue)") { bytes in
        _ = try? TrackFile.read(data: Data(bytes), name: "fuzz", format: format)
      }
    }

  @Sendable private static func events(_ bytes: [UInt8]) {
    guard let events = try? EventBytes.decode(bytes) else { return }
    precondition(EventBytes.encode(events) == bytes, "the same events have other bytes")
  }
}
