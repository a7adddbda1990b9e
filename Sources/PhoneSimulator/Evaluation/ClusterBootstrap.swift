/// 95 % confidence intervals for ratios of sums over runs that belong together in clusters (of one person, of
/// one track).
///
/// Whole clusters are drawn with replacement, so that many similar days of one person do not count as many
/// people. The same draws are used for every policy, so that two policies are compared on the same people
/// (paired). The same seed gives the same interval.
public struct ClusterBootstrap: Hashable, Sendable {
  public var draws: Int
  public var seed: UInt64
  public init(draws: Int = 10_000, seed: UInt64 = 1) {
    self.draws = draws
    self.seed = seed
  }

  /// The amounts that one cluster adds to a ratio: caught visits and visits, joules and days.
  public struct Tally: Hashable, Sendable {
    public var part: Double
    public var whole: Double
    public init(part: Double, whole: Double) {
      self.part = part
      self.whole = whole
    }
    public static func + (a: Self, b: Self) -> Self { Self(part: a.part + b.part, whole: a.whole + b.whole) }
    /// Nil if `whole` is zero.
    public var share: Double? { whole > 0 ? part / whole : nil }
  }

  /// The difference between two policies on the same clusters.
  public struct Difference: Hashable, Sendable {
    /// The first's share less the second's.
    public let value: Double
    public let interval: ClosedRange<Double>
    /// Two-sided p-value: the probability of a difference this large or larger by chance.
    public let probability: Double
  }

  /// - Returns: nil for fewer than two clusters, which show no variation, or if no draw has a ratio.
  public func interval(of clusters: [Tally]) -> ClosedRange<Double>? {
    guard clusters.count > 1, draws > 0 else { return nil }
    var values: [Double] = []
    values.reserveCapacity(draws)
    for draw in 0..<draws {
      var sum = Tally(part: 0, whole: 0)
      for place in clusters.indices { sum = sum + clusters[pick(draw, place, of: clusters.count)] }
      if let share = sum.share { values.append(share) }
    }
    return Self.middle(values)
  }

  /// - Parameters: the same clusters in the same order.
  /// - Returns: nil for fewer than two clusters, or if either side has no ratio.
  public func difference(_ first: [Tally], _ second: [Tally]) -> Difference? {
    precondition(first.count == second.count, "pairs have two sides")
    let none = Tally(part: 0, whole: 0)
    guard first.count > 1, let one = first.reduce(none, +).share, let other = second.reduce(none, +).share
    else { return nil }
    var values: [Double] = []
    values.reserveCapacity(draws)
    var (atMost, atLeast) = (0, 0)
    for draw in 0..<draws {
      var (a, b) = (none, none)
      for place in first.indices {
        let chosen = pick(draw, place, of: first.count)
        a = a + first[chosen]
        b = b + second[chosen]
      }
      guard let left = a.share, let right = b.share else { continue }
      values.append(left - right)
      if left - right <= 0 { atMost += 1 }
      if left - right >= 0 { atLeast += 1 }
    }
    guard let interval = Self.middle(values) else { return nil }
    // Adds one to both counts: so many draws cannot show a smaller probability (Davison and Hinkley 1997,
    // 4.2).
    let tail = Double(min(atMost, atLeast) + 1) / Double(values.count + 1)
    // A lower limit for few clusters: with a coin toss for each, all could have fallen to one side by chance.
    var coins = 1.0
    for _ in 1..<min(first.count, 60) { coins /= 2 }
    return Difference(value: one - other, interval: interval, probability: min(1, max(coins, 2 * tail)))
  }

  private func pick(_ draw: Int, _ place: Int, of count: Int) -> Int {
    let u = Randomness.uniform(seed: seed, channel: 0xB007, index: Int64(draw) << 20 | Int64(place))
    return min(Int(u * Double(count)), count - 1)
  }

  private static func middle(_ values: [Double]) -> ClosedRange<Double>? {
    guard !values.isEmpty else { return nil }
    let quantiles = Quantiles(values)
    return quantiles.value(0.025)...quantiles.value(0.975)
  }
}
