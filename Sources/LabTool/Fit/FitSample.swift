import Foundation

/// An estimate with its 95 % interval; without a value if there are too few observations.
struct FitEstimate {
  var value: Double?
  var interval: ClosedRange<Double>?
  var count: Int
  /// The number of observations that an interval needs, if there are fewer.
  var needed: Int?
  /// Why there is no value although there are observations enough.
  var problem: String?

  static func tooFew(_ count: Int, needed: Int) -> Self { Self(count: count, needed: needed) }
  static func problem(_ words: String, _ count: Int) -> Self { Self(count: count, problem: words) }
}

/// Observations of one quantity.
struct FitSample {
  private(set) var values: [Double] = []
  var count: Int { values.count }

  mutating func add(_ value: Double) { values.append(value) }

  /// The quantile `p` with the interval between two order statistics, each with at most 2.5 % beyond it: exact for
  /// independent observations of any distribution.
  /// Source: W. J. Conover, "Practical Nonparametric Statistics" (1999), 3.2.
  func quantile(_ p: Double) -> FitEstimate {
    let needed = Self.needed(p)
    guard count >= needed else { return .tooFew(count, needed: needed) }
    let sorted = values.sorted()
    var (low, high) = (0, count - 1)
    var below = 0.0
    for (successes, probability) in Self.binomial(count, p).enumerated() {
      below += probability
      // By order statistics, the first of which has the number 0 here.
      if below <= 0.025 { low = successes }
      if below >= 0.975 {
        high = min(count - 1, successes)
        break
      }
    }
    return FitEstimate(
      value: Self.value(p, in: sorted), interval: sorted[low]...sorted[max(low, high)], count: count)
  }

  /// The standard deviation of the logarithms; an interval for a normal distribution of these.
  func logarithmicDeviation() -> FitEstimate {
    let needed = 20
    let logarithms = values.filter { $0 > 0 }.map(log)
    guard logarithms.count >= needed else { return .tooFew(logarithms.count, needed: needed) }
    let mean = logarithms.reduce(0, +) / Double(logarithms.count)
    let sum = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (sum / Double(logarithms.count - 1)).squareRoot()
    let margin = 1.96 / (2 * Double(logarithms.count - 1)).squareRoot()
    return FitEstimate(
      value: deviation, interval: (deviation * (1 - margin))...(deviation * (1 + margin)),
      count: logarithms.count)
  }

  /// The fewest observations of which the least and the greatest enclose the quantile with 95 %.
  private static func needed(_ p: Double) -> Int {
    var (count, all, none) = (1, p, 1 - p)
    while all > 0.025 || none > 0.025 {
      count += 1
      all *= p
      none *= 1 - p
    }
    return count
  }

  private static func value(_ p: Double, in sorted: [Double]) -> Double {
    let place = p * Double(sorted.count - 1)
    let low = min(Int(place), sorted.count - 1)
    guard low + 1 < sorted.count else { return sorted[low] }
    return sorted[low] + (place - Double(low)) * (sorted[low + 1] - sorted[low])
  }

  /// The probabilities of 0, 1 and so on to `count` successes.
  private static func binomial(_ count: Int, _ p: Double) -> [Double] {
    // By logarithms, since the first is too small for a number after some thousand trials.
    var logarithm = Double(count) * log(1 - p)
    var all = [exp(logarithm)]
    for successes in 1...max(1, count) where successes <= count {
      logarithm += log(Double(count - successes + 1) / Double(successes)) + log(p / (1 - p))
      all.append(exp(logarithm))
    }
    return all
  }
}

/// A share of cases.
struct FitShare {
  private(set) var part = 0
  private(set) var whole = 0
  private static let needed = 10

  mutating func add(_ isPart: Bool) {
    whole += 1
    if isPart { part += 1 }
  }

  /// Source of the interval: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927).
  var estimate: FitEstimate {
    guard whole >= Self.needed else { return .tooFew(whole, needed: Self.needed) }
    let (n, z) = (Double(whole), 1.96)
    let share = Double(part) / n
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let margin = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return FitEstimate(
      value: share, interval: max(0, middle - margin)...min(1, middle + margin), count: whole)
  }
}
