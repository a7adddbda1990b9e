import Geometry

/// Random numbers for a phone, an independent stream for each purpose.
///
/// The numbers drawn for one purpose do not change another's, so that two applications on the same journey
/// with the same seed get the same satellites, errors and fence delays as long as they make the same
/// requests.
struct Randomness {
  enum Purpose: UInt64, CaseIterable {
    case regionLatency = 1
    case regionLoss, coalescing, spurious, significantDistance, significantDelay
    case significantAccuracy, firstFix, acquisition, spacing, visit, memory, network, geofence, duplicate,
      joint, keepAlive
  }

  private let seed: UInt64
  private var streams: [UInt64]

  init(seed: UInt64) {
    self.seed = seed
    streams = Purpose.allCases.map { Self.mix(seed ^ Self.mix($0.rawValue)) }
  }

  /// SplitMix64's finisher (S. Vigna, 2015).
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Uniform between 0 and 1, both excluded.
  mutating func uniform(_ purpose: Purpose) -> Double {
    let place = Int(purpose.rawValue) - 1
    streams[place] &+= 0x9e37_79b9_7f4a_7c15
    return Self.fraction(Self.mix(streams[place]))
  }

  mutating func happens(_ purpose: Purpose, probability: Double) -> Bool { uniform(purpose) < probability }

  mutating func normal(_ purpose: Purpose) -> Double { NormalDistribution.quantile(uniform(purpose)) }

  /// A lognormal number; `sigma` is the standard deviation of its logarithm.
  mutating func lognormal(_ purpose: Purpose, median: Double, sigma: Double) -> Double {
    median * Trigonometry.exponential(sigma * normal(purpose))
  }

  /// Waiting time of a Poisson process; infinite for rate zero.
  mutating func exponential(_ purpose: Purpose, rate: Double) -> Double {
    let u = uniform(purpose)
    return rate > 0 ? -Trigonometry.naturalLogarithm(u) / rate : .infinity
  }

  /// A number that depends only on the seed, a channel and an index, not on the order of the calls.
  static func uniform(seed: UInt64, channel: UInt64, index: Int64) -> Double {
    fraction(mix(mix(seed ^ (channel &* 0xd6e8_feb8_6659_fd93)) ^ UInt64(bitPattern: index)))
  }

  static func normal(seed: UInt64, channel: UInt64, index: Int64) -> Double {
    NormalDistribution.quantile(uniform(seed: seed, channel: channel, index: index))
  }

  private static func fraction(_ bits: UInt64) -> Double { (Double(bits >> 11) + 0.5) * 0x1p-53 }
}
