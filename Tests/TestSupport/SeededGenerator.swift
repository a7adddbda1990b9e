/// SplitMix64 (S. Vigna, 2015): the same numbers from the same seed, on every machine.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
  /// Uniform in the range.
  public mutating func double(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
  }
  /// Normal with mean 0 and deviation 1: a sum of twelve uniform numbers, exact enough for noise.
  public mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += double(in: 0...1) }
    return sum
  }
}
