extension SeededGenerator {
  /// A finite number that is difficult for sums, products and conversions.
  public mutating func extremeNumber() -> Double {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.5, 0.01, 1e-9, .leastNonzeroMagnitude, .ulpOfOne, 50, 3600, 86_400, 604_800, 1e6, 1e7,
      1e7 + 1, -1e7, 3.2e7, 4e7, 1e9, 1e9 + 1, 1e12, 1e15, 9.3e15, 0x1p53, 0x1p63, -0x1p63, 0x1p64, 1e19,
      1e100,
      1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    return numbers[Int(next() % UInt64(numbers.count))]
  }

  /// An integer of the same kind.
  public mutating func extremeInteger() -> Int64 {
    let numbers: [Int64] = [
      0, 1, -1, 1000, 60_000, 86_400_000, 1_000_000_000_000, 1_000_000_000_001, -1_000_000_000_000,
      1_795_000_000_000, 253_402_300_799_999, 253_402_300_800_000, -62_135_596_800_000, -62_135_596_800_001,
      1 << 53, .max / 1000, .max / 2, .max - 1, .max, .min, .min + 1, .min / 2,
    ]
    return numbers[Int(next() % UInt64(numbers.count))]
  }

  /// Such numbers as files and JSON write them, and some invalid ones.
  public mutating func extremeNumeral() -> String {
    switch next() % 6 {
    case 0: "\(extremeInteger())"
    case 1: ["1e400", "-1e400", "1e-400", "00", "0x10", "\"NaN\"", "\"inf\"", "null", "1e5"][Int(next() % 9)]
    default: "\(extremeNumber())"
    }
  }

  /// The text with one to four of its numbers replaced.
  public mutating func withExtremeNumbers(_ bytes: [UInt8]) -> [UInt8] {
    func isPart(_ byte: UInt8) -> Bool { (48...57).contains(byte) || [43, 45, 46].contains(byte) }
    var result = bytes
    for _ in 0...(next() % 4) {
      var numbers: [Range<Int>] = []
      var start: Int?
      for (at, byte) in (result + [10]).enumerated() {
        if isPart(byte) {
          if start == nil { start = at }
        } else if let first = start {
          numbers.append(first..<at)
          start = nil
        }
      }
      guard !numbers.isEmpty else { return result }
      result.replaceSubrange(
        numbers[Int(next() % UInt64(numbers.count))], with: Array(extremeNumeral().utf8))
    }
    return result
  }
}
