import AlarmEngine
import Foundation
import TestSupport
import Testing

@Suite("Strings of JSON")
struct JSONStringTests {
  private static func written(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONString.write(text.utf8, to: &bytes)
    return bytes
  }

  @Test func `every character below U+3000 is read back by another reader, and none ends a line`() throws {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a" + String(scalar) + "b"
      let bytes = Self.written(text)
      let read = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? String
      #expect(
        read.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "U+\(String(value, radix: 16))")
      #expect(
        !String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
          $0.properties.generalCategory == .control
        })
    }
    for separator in ["\u{2028}", "\u{2029}", "\n", "\r\n", "\u{85}"] {
      #expect(
        String(decoding: Self.written(separator), as: UTF8.self).split(whereSeparator: \.isNewline).count == 1
      )
      #expect(Self.written(separator).allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `bytes that are no UTF-8 are kept, also where an escaped character might begin`() {
    for text: [UInt8] in [[0xc2], [0xe2], [0xe2, 0x80], [0xc2, 0x41], [0xe2, 0x80, 0xa7], [0xff, 0x22]] {
      var bytes: [UInt8] = []
      JSONString.write(text, to: &bytes)
      let escaped = text.flatMap { $0 == 0x22 ? [0x5c, 0x22] : [$0] }
      #expect(bytes == [0x22] + escaped + [0x22])
    }
  }
}
