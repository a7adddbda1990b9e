/// A 95 % interval for a statistic over runs that belong together in clusters (of one person, of one track).
///
/// Whole clusters are drawn with replacement, so that a person with many alike days does not count as many.
/// The same seed gives the same interval.
public struct ClusterBootstrap: Hashable, Sendable {
  public var draws: Int
  public var seed: UInt64
  public init(draws: Int = 2000, seed: UInt64 = 1) {
    self.draws = draws
    self.seed = seed
  }

  /// - Parameter statistic: of the clusters drawn; nil where it has no value.
  /// - Returns: nil for no cluster, or when the statistic never has a value.
  public func interval<Cluster>(
    of clusters: [Cluster], _ statistic: ([Cluster]) -> Double?
  ) -> ClosedRange<Double>? {
    guard !clusters.isEmpty, draws > 0 else { return nil }
    var values: [Double] = []
    values.reserveCapacity(draws)
    var drawn = 0
    for _ in 0..<draws {
      let sample = clusters.indices.map { _ in
        drawn += 1
        let u = Randomness.uniform(seed: seed, channel: 0xB007, index: Int64(drawn))
        return clusters[min(Int(u * Double(clusters.count)), clusters.count - 1)]
      }
      if let value = statistic(sample) { values.append(value) }
    }
    guard !values.isEmpty else { return nil }
    values.sort()
    return Quantiles(sorted: values).value(0.025)...Quantiles(sorted: values).value(0.975)
  }
}

/// Quantiles of numbers, with straight lines between them.
struct Quantiles {
  private let sorted: [Double]
  init(_ values: [Double]) { sorted = values.sorted() }
  /// - Precondition: ascending.
  init(sorted: [Double]) { self.sorted = sorted }

  /// NaN without numbers.
  func value(_ share: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    guard low + 1 < sorted.count else { return last }
    return sorted[low] + (place - Double(low)) * (sorted[low + 1] - sorted[low])
  }
}
