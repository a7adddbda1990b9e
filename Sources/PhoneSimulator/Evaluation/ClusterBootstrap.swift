/// 95 % intervals for shares of sums over runs that belong together in clusters (of one person, of one track).
///
/// Whole clusters are drawn with replacement, so that a person with many alike days does not count as many. The
/// same draws serve every policy, so that two of them are compared on the same persons (paired). The same seed gives
/// the same interval.
public struct ClusterBootstrap: Hashable, Sendable {
  public var draws: Int
  public var seed: UInt64
  public init(draws: Int = 10_000, seed: UInt64 = 1) {
    self.draws = draws
    self.seed = seed
  }

  /// What one cluster adds to a share: caught visits of visits, joules of days.
  public struct Tally: Hashable, Sendable {
    public var part: Double
    public var whole: Double
    public init(part: Double, whole: Double) {
      self.part = part
      self.whole = whole
    }
    public static func + (a: Self, b: Self) -> Self { Self(part: a.part + b.part, whole: a.whole + b.whole) }
    /// Nil of nothing.
    public var share: Double? { whole > 0 ? part / whole : nil }
  }

  /// How two policies differ on the same clusters.
  public struct Difference: Hashable, Sendable {
    /// The first's share less the second's.
    public let value: Double
    public let interval: ClosedRange<Double>
    /// Two-sided: how often so large a difference, or a larger one, comes by chance where there is none.
    public let probability: Double
  }

  /// - Returns: nil for fewer than two clusters, which cannot tell how clusters vary, or when there is never a share.
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
  /// - Returns: nil for fewer than two clusters, or without a share on either side.
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
    // One more on both sides: with so many draws nothing is rarer than that (Davison and Hinkley 1997, 4.2).
    let tail = Double(min(atMost, atLeast) + 1) / Double(values.count + 1)
    // So few clusters, all alike, could have fallen to one side by tossing a coin for each.
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
