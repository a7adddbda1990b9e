/// A distribution given by its quantiles, linear between them.
public struct QuantileTable: Hashable, Sendable {
  public var minimum: Double
  public var p5: Double
  public var p25: Double
  public var p50: Double
  public var p75: Double
  public var p95: Double
  public var p99: Double
  public var maximum: Double

  public init(
    minimum: Double, p5: Double, p25: Double, p50: Double, p75: Double, p95: Double, p99: Double,
    maximum: Double
  ) {
    self.minimum = minimum
    self.p5 = p5
    self.p25 = p25
    self.p50 = p50
    self.p75 = p75
    self.p95 = p95
    self.p99 = p99
    self.maximum = maximum
  }

  /// The value that is not exceeded with probability `p`, 0 to 1.
  public func value(at p: Double) -> Double {
    let knots: [(p: Double, value: Double)] = [
      (0, minimum), (0.05, p5), (0.25, p25), (0.5, p50), (0.75, p75), (0.95, p95), (0.99, p99), (1, maximum),
    ]
    for (a, b) in zip(knots, knots.dropFirst()) where p <= b.p {
      return a.value + (b.value - a.value) * (max(p, 0) - a.p) / (b.p - a.p)
    }
    return maximum
  }

  /// Its parts with their names, in ascending order of probability.
  public static let parts: [(name: String, path: WritableKeyPath<QuantileTable, Double> & Sendable)] = [
    ("minimum", \.minimum), ("p5", \.p5), ("p25", \.p25), ("p50", \.p50), ("p75", \.p75), ("p95", \.p95),
    ("p99", \.p99), ("maximum", \.maximum),
  ]
}
