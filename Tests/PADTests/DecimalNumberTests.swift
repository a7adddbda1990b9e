import AlarmEngine
import Foundation
import PAD
import TestSupport
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  private func check(_ text: String) -> Bool {
    guard let expected = Double(text) else { return DecimalNumber.parse(Array(text.utf8)) == nil }
    let found = DecimalNumber.parse(Array(text.utf8))
    if expected.isInfinite { return found == nil }
    return found?.bitPattern == expected.bitPattern
  }

  @Test func `numbers of every form agree with the standard library to the bit`() {
    for seed in UInt64(0)..<100_000 {
      var generator = SeededGenerator(seed: seed)
      let text: String
      switch seed % 5 {
      case 0: text = "\(Double(bitPattern: generator.next()))"  // Any double, subnormal ones too.
      case 1: text = "\(generator.double(in: -180...180))"
      case 2: text = "\(generator.next())e\(Int.random(in: -345...310, using: &generator))"
      case 3: text = "\(generator.next() % 1000).\(generator.next())\(generator.next())"
      default:
        text =
          "0.\(String(repeating: "0", count: Int.random(in: 0...330, using: &generator)))\(generator.next())"
      }
      if text.contains("n") { continue }
      if !check(text) { Issue.record("seed \(seed): \(text)") }
    }
  }

  @Test func `middles between two doubles go to the even one, a hair more goes up`() {
    for seed in UInt64(0)..<120 {
      var generator = SeededGenerator(seed: seed)
      // Midpoints of subnormal and small normal doubles have up to 767 digits.
      let value = Double(bitPattern: generator.next() & 0x0040_ffff_ffff_ffff)
      let middle = Self.exactMiddle(value)
      for text in [middle, middle + "0001", String(middle.dropLast()) + "4999"] {
        #expect(check(text), "seed \(seed)")
      }
    }
  }

  /// The decimal expansion of the midpoint between a double below 2^-10 and the next one.
  private static func exactMiddle(_ value: Double) -> String {
    // The midpoint is (2m + 1) * 2^(e - 1) = (2m + 1) * 5^k / 10^k with k = 1 - e.
    let field = Int(value.bitPattern >> 52)
    let significand = field == 0 ? value.significandBitPattern : value.significandBitPattern | 1 << 52
    let k = 1 - (max(field, 1) - 1075)
    var digits = String(significand * 2 + 1).reversed().map { Int(String($0)) ?? 0 }
    for _ in 0..<k {
      var carry = 0
      for index in digits.indices {
        carry += digits[index] * 5
        digits[index] = carry % 10
        carry /= 10
      }
      while carry > 0 {
        digits.append(carry % 10)
        carry /= 10
      }
    }
    let text = digits.reversed().map(String.init).joined()
    return "0." + String(repeating: "0", count: max(0, k - text.count)) + text
  }

  @Test(arguments: [
    "0", "-0", "+1", "1.", ".5", "1e5", "1E-5", "2.2250738585072011e-308", "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623159e308", "1e400", "1e-400",
    "9007199254740993", "0e99999999999", "100000000000000000000000", "9007199254740992.5",
  ])
  func `edges of the range`(text: String) { #expect(check(text), "\(text)") }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "NaN", "inf", "0x10", "1,5", "1 ", " 1", "1.5.2", "1_000", "--1",
    "1e5.0",
  ])
  func `what is no number is refused`(text: String) { #expect(DecimalNumber.parse(Array(text.utf8)) == nil) }

  @Test func `commas mark decimals where told so`() {
    #expect(DecimalNumber.parse(Array("-12,25".utf8), mark: UInt8(ascii: ",")) == -12.25)
    #expect(DecimalNumber.parse(Array("1.5".utf8), mark: UInt8(ascii: ",")) == nil)
  }
}
