import AlarmEngine
import Formats
import Foundation
import Geometry
import PhoneHost

extension Parser {
  /// Reads a phone's journal with valid checksums, so that the fuzzer reaches the contents of entries. The
  /// input gives for each entry its kind, the seconds since the previous one, its length and its bytes.
  /// Entries that were read must encode to the same bytes; then a watch applies them, as after a launch.
  @Sendable static func journal(_ bytes: [UInt8]) {
    var rest = bytes[...]
    var file: [UInt8] = []
    var now = Instant(millisecondsSince1970: 1_780_272_000_000)
    var number: UInt64 = 0
    while let kind = rest.popFirst(), let pause = rest.popFirst(), let count = rest.popFirst() {
      let content = rest.prefix(Int(count) * (kind >= 128 ? 16 : 1))
      rest = rest.dropFirst(content.count)
      number += pause == 255 ? 2 : 1
      now = now + .seconds(Double(pause))
      file += sealed(number, now, kind & 7, content)
    }
    let read = Journal.read(file)
    var at = 0
    for each in read.entries {
      let again = Journal.bytes(of: each.entry, number: each.number)
      // Damage before an entry is passed over.
      while at + again.count <= file.count, !file[at...].starts(with: again) { at += 1 }
      precondition(at + again.count <= file.count, "an entry is written otherwise than it was read")
      at += again.count
    }
    guard let track = try? TrackFile.read(data: Data(file), name: "fuzz", format: .journal),
      let phone = track.phone
    else { return }
    var kept = KeptWatch(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [], armed: true),
      settings: .phone)
    for case .entry(let entry) in phone.steps {
      kept.apply(entry)
      _ = kept.ringing
    }
    _ = kept.timeline.surroundings(at: now)
  }

  private static func sealed(_ number: UInt64, _ at: Instant, _ kind: UInt8, _ content: ArraySlice<UInt8>)
    -> [UInt8]
  {
    let body = bigEndian(number) + bigEndian(UInt64(bitPattern: at.millisecondsSince1970)) + [kind] + content
    var sum: UInt32 = 0x811c_9dc5
    for byte in body { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
    return bigEndian(UInt64(body.count)).suffix(4) + bigEndian(UInt64(sum)).suffix(4) + body
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
