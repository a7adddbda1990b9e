import GeometryWithBoundaries
import HitChecksum

/// SplitMix64 (S. Vigna, 2015) of a seed and a count: the same numbers on every platform, drawn in arrays.
struct CountedRandom {
  private let seed: UInt64
  private var count: UInt64 = 0

  init(seed: UInt64) { self.seed = seed &* 0x9e37_79b9_7f4a_7c15 }

  private mutating func next() -> UInt64 {
    count += 1
    return Checksum.mixed(seed &+ count &* 0x9e37_79b9_7f4a_7c15)
  }

  mutating func uniform(_ low: Double = 0, _ high: Double = 1) -> Double {
    low + (high - low) * (Double(next() >> 11) * 0x1p-53)
  }

  mutating func uniforms(_ count: Int, _ low: Double = 0, _ high: Double = 1) -> [Double] {
    (0..<count).map { _ in uniform(low, high) }
  }

  /// Draws numbers whose logarithms are uniformly distributed.
  mutating func ratios(_ count: Int, _ low: Double, _ high: Double) -> [Double] {
    let (from, to) = (Trigonometry.naturalLogarithm(low), Trigonometry.naturalLogarithm(high))
    return uniforms(count, from, to).map { Trigonometry.exponential($0) }
  }

  /// Draws normally distributed numbers by the Box–Muller transform; one of each pair is kept.
  mutating func normals(_ count: Int) -> [Double] {
    let first = uniforms(count).map { (-2 * Trigonometry.naturalLogarithm(1 - $0)).squareRoot() }
    let second = uniforms(count)
    return zip(first, second).map { $0 * Trigonometry.cosine(2 * Double.pi * $1) }
  }

  mutating func integers(_ count: Int, _ low: Int, _ high: Int) -> [Int] {
    uniforms(count).map { low + Int($0 * Double(high - low + 1)) }
  }
}
