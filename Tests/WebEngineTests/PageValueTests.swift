import AlarmEngine
import TestSupport
import Testing
import WebEngine

@Suite("Page value")
struct PageValueTests {
  private static func value(_ random: inout SeededGenerator, depth: Int) -> PageValue {
    switch Int.random(in: 0..<(depth > 3 ? 6 : 8), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2:
      let bits = Int64.random(in: 0...53, using: &random)
      return .integer(Int64.random(in: -(1 << bits)...(1 << bits), using: &random))
    case 3: return .number(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)))
    case 4: return .text(Text(utf8: bytes(&random)))
    case 5: return .bytes(bytes(&random))
    case 6:
      return .list((0..<Int.random(in: 0...5, using: &random)).map { _ in value(&random, depth: depth + 1) })
    default:
      return .map(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          .init(Text(utf8: bytes(&random)), value(&random, depth: depth + 1))
        })
    }
  }

  private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    let lengths = [0, 1, 23, 24, 255, 256, 70_000]
    let length = lengths[Int.random(in: 0..<(Bool.random(using: &random) ? 4 : 6), using: &random)]
    return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test(arguments: Seeds.few(10)) func `reads back what it wrote`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let value = Self.value(&random, depth: 0)
      let bytes = value.cbor
      // Compared as bytes, because NaN does not equal itself.
      #expect(try PageValue(cbor: bytes).cbor == bytes)
    }
  }

  /// Source of the bytes: RFC 8949, appendix A.
  private static let examples: [(PageValue, [UInt8])] = [
    (PageValue.integer(0), [0x00]), (.integer(23), [0x17]), (.integer(24), [0x18, 0x18]),
    (.integer(1000), [0x19, 0x03, 0xe8]), (.integer(1_000_000), [0x1a, 0x00, 0x0f, 0x42, 0x40]),
    (.integer(-1), [0x20]), (.integer(-1000), [0x39, 0x03, 0xe7]),
    (.number(1.1), [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]), (.bool(false), [0xf4]),
    (.null, [0xf6]), (.bytes([1, 2, 3, 4]), [0x44, 1, 2, 3, 4]),
    (.text("IETF"), [0x64, 0x49, 0x45, 0x54, 0x46]),
    (.list([.integer(1), .list([.integer(2), .integer(3)])]), [0x82, 0x01, 0x82, 0x02, 0x03]),
    (
      .map([.init("a", .integer(1)), .init("b", .list([.integer(2)]))]),
      [0xa2, 0x61, 0x61, 0x01, 0x61, 0x62, 0x81, 0x02]
    ),
  ]

  @Test(arguments: examples) func `writes the standard's bytes`(value: PageValue, bytes: [UInt8]) throws {
    #expect(value.cbor == bytes)
    #expect(try PageValue(cbor: bytes) == value)
  }

  @Test func `cut off anywhere, it is refused`() throws {
    let whole = PageValue.map([
      .init("zones", .list([.text("a"), .bytes([1, 2, 3]), .number(2.5), .integer(70_000)])),
      .init("on", .bool(true)),
    ]).cbor
    for end in whole.indices {
      #expect(throws: PageValueError.truncated(at: end)) { try PageValue(cbor: Array(whole[..<end])) }
    }
    #expect(throws: PageValueError.leftOver(at: whole.count)) { try PageValue(cbor: whole + [0]) }
  }

  @Test func `a length that the bytes cannot hold takes no memory`() {
    for first: UInt8 in [0x5b, 0x7b, 0x9b, 0xbb] {
      let bytes = [first] + [UInt8](repeating: 0xff, count: 8)
      #expect(throws: PageValueError.truncated(at: bytes.count)) { try PageValue(cbor: bytes) }
    }
  }

  @Test func `what lies outside the subset is refused by name`() {
    #expect(throws: PageValueError.unsupported(0x9f, at: 0)) { try PageValue(cbor: [0x9f, 0xff]) }
    #expect(throws: PageValueError.unsupported(0xc1, at: 0)) { try PageValue(cbor: [0xc1, 0]) }
    #expect(throws: PageValueError.unsupported(0xf9, at: 0)) { try PageValue(cbor: [0xf9, 0, 0]) }
    #expect(throws: PageValueError.outOfRange(at: 0)) {
      try PageValue(cbor: [0x1b] + [UInt8](repeating: 0xff, count: 8))
    }
    #expect(throws: PageValueError.outOfRange(at: 1)) { try PageValue(cbor: [0xa1, 1, 1]) }
    #expect(throws: PageValueError.tooDeep(at: PageValue.deepest)) {
      try PageValue(cbor: [UInt8](repeating: 0x81, count: 100_000))
    }
  }
}
