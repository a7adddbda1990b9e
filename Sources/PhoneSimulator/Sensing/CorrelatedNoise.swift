import Geometry

/// A stationary Gauss-Markov process with mean 0, deviation 1 and a correlation time. Seconds can be queried
/// in any order: the value depends only on the seed, the channel and the second.
///
/// Values between two independent anchors, at least twelve correlation times apart, are found by halving: the
/// middle of two known values is normal around (x + y)·ρ/(1 + ρ²) with variance (1 - ρ²)/(1 + ρ²), where ρ is
/// the correlation over half the interval.
struct CorrelatedNoise {
  private let seed: UInt64
  private let channel: UInt64
  /// Seconds between anchors, a power of two.
  private let block: Int64
  private let levels: [(weight: Double, deviation: Double)]

  init(seed: UInt64, channel: UInt64, correlationSeconds: Double) {
    self.seed = seed
    self.channel = channel
    var block: Int64 = 2
    while Double(block) < 12 * correlationSeconds { block *= 2 }
    self.block = block
    var levels: [(weight: Double, deviation: Double)] = []
    var half = block / 2
    while half >= 1 {
      let rho = Trigonometry.exponential(-Double(half) / max(correlationSeconds, 1e-3))
      levels.append((rho / (1 + rho * rho), ((1 - rho * rho) / (1 + rho * rho)).squareRoot()))
      half /= 2
    }
    self.levels = levels
  }

  func value(second: Int64) -> Double {
    var low = second >= 0 ? second / block * block : (second - block + 1) / block * block
    var x = draw(low)
    guard low != second else { return x }
    var y = draw(low + block)
    var half = block / 2
    for level in levels {
      let middle = low + half
      let value = (x + y) * level.weight + level.deviation * draw(middle)
      if middle == second { return value }
      if second < middle {
        y = value
      } else {
        low = middle
        x = value
      }
      half /= 2
    }
    return x
  }

  private func draw(_ index: Int64) -> Double {
    Randomness.normal(seed: seed, channel: channel, index: index)
  }
}
