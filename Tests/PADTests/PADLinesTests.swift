import AlarmEngine
import Geometry
import PAD
import TestSupport
import Testing

@Suite("PAD, bytes to lines")
struct PADLinesTests {
  private static let text =
    "AlertZoneStart\r\nAlertZoneName,Ćuk Øst 😀\r\n\r\nLocation,1,46.5,14.25\r\nAlertZoneEnd\r\n"

  private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      bytes += bigEndian ? [high, low] : [low, high]
    }
    return bytes
  }

  private var encodings: [(String, [UInt8])] {
    let text = Self.text
    return [
      ("UTF-8", Array(text.utf8)), ("UTF-8 with mark", [0xef, 0xbb, 0xbf] + Array(text.utf8)),
      ("UTF-16 little-endian", [0xff, 0xfe] + utf16(text, bigEndian: false)),
      ("UTF-16 big-endian", [0xfe, 0xff] + utf16(text, bigEndian: true)),
      ("UTF-16 without mark", utf16(text, bigEndian: false)),
      ("CR", Array(text.replacing("\r\n", with: "\r").utf8)),
      ("LF", Array(text.replacing("\r\n", with: "\n").utf8)),
    ]
  }

  @Test func `every encoding and line end gives the same zone`() {
    for (name, bytes) in encodings {
      let reader = PADReader.read(bytes)
      #expect(reader.issues == [], "\(name)")
      #expect(reader.zones.map { $0.name } == ["Ćuk Øst 😀"], "\(name)")
    }
  }

  @Test func `chunks may end anywhere`() {
    for (name, bytes) in encodings {
      let whole = PADReader.read(bytes)
      for size in 1...5 {
        var reader = PADReader()
        var at = 0
        while at < bytes.count {
          reader.feed(bytes[at..<min(at + size, bytes.count)])
          at += size
        }
        reader.finish()
        #expect(reader.zones == whole.zones && reader.issues == whole.issues, "\(name), \(size) at a time")
      }
    }
  }

  @Test func `a line that is not UTF-8 is Windows-1252`() {
    let name: [UInt8] = [0x80, 0x20, 0xfc, 0x62]  // Euro sign, ü
    let bytes =
      Array("AlertZoneStart\nAlertZoneName,".utf8) + name + Array("\nLocation,1,1,2\nAlertZoneEnd".utf8)
    #expect(PADReader.read(bytes).zones.first?.name == "€ üb")
  }

  @Test func `zero bytes are taken out with a warning`() {
    let reader = PADReader.read(
      Array("AlertZoneStart\nAlertZoneName,a\0b\nLocation,1,1,2\nAlertZoneEnd".utf8))
    #expect(reader.zones.first?.name == "ab")
    #expect(reader.issues.map { $0.kind } == [.controlCharacters])
    #expect(reader.issues.map { $0.line } == [2])
  }

  @Test func `a line beyond all bounds is skipped and named`() {
    var reader = PADReader()
    reader.feed(Array("AlertZoneStart\nAlertZoneName,".utf8)[...])
    let chunk = [UInt8](repeating: 65, count: 1 << 20)
    for _ in 0..<3 { reader.feed(chunk[...]) }
    reader.feed(Array("\nLocation,1,1,2\nAlertZoneEnd\n".utf8)[...])
    reader.finish()
    #expect(reader.zones.count == 1 && reader.zones.first?.name == "")
    #expect(reader.issues == [PADIssue(line: 2, kind: .lineTooLong(bytes: 3 << 20 + 14, allowed: 1 << 20))])
  }

  @Test func `garbage gives issues, a bounded number of them, and no trap`() {
    let valid = Array(Self.text.utf8)
    for seed in UInt64(0)..<1500 {
      var generator = SeededGenerator(seed: seed)
      var bytes = seed % 3 == 0 ? [] : valid
      if bytes.isEmpty {
        for _ in 0..<Int.random(in: 0..<400, using: &generator) {
          bytes.append(.random(in: 0...255, using: &generator))
        }
      }
      for _ in 0..<Int.random(in: 0..<8, using: &generator) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[at] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 20)], at: at)
        default: bytes[at] = [44, 59, 9, 10, 13, 34, 45, 0].randomElement(using: &generator) ?? 0
        }
      }
      let reader = PADReader.read(bytes)
      #expect(reader.zones.allSatisfy { (try? $0.shape(defaultRadius: .metres(50))) != nil }, "seed \(seed)")
    }
    let noise = PADReader.read(
      [UInt8](repeating: 65, count: 10) + Array(repeatElement(Array("x\n".utf8), count: 5000).joined()))
    #expect(noise.issues.count <= PADReader.maximumIssues + 2)
    #expect(noise.issues.last?.kind == .more(errors: 0, warnings: 4000))
  }
}
