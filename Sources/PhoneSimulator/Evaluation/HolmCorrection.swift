import Geometry

/// The p-values of several comparisons made at once, raised so that the probability of any false claim among
/// them stays that of a single one (S. Holm, Scandinavian Journal of Statistics 6, 1979).
///
/// - Returns: in the given order; each at least as large as the given value, and at most 1.
public func holmCorrected(_ probabilities: [Double]) -> [Double] {
  let order = probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
  var corrected = probabilities
  var highest = 0.0
  for (rank, place) in order.enumerated() {
    highest = max(highest, min(1, Double(order.count - rank) * probabilities[place]))
    corrected[place] = highest
  }
  return corrected
}

/// The conclusions from visits without a single miss.
public enum ZeroMisses {
  /// The least number of visits, all caught, that shows a recall of at least `recall` with one-sided
  /// `confidence`.
  /// - Precondition: both between 0 and 1, excluded.
  public static func visits(toShow recall: Double, confidence: Double = 0.95) -> Int {
    precondition(recall > 0 && recall < 1 && confidence > 0 && confidence < 1, "shares between 0 and 1")
    let count = Trigonometry.naturalLogarithm(1 - confidence) / Trigonometry.naturalLogarithm(recall)
    return Int(count.rounded(.up))
  }

  /// The recall shown by `visits` visits that were all caught; 0 without visits.
  public static func recall(shownBy visits: Int, confidence: Double = 0.95) -> Double {
    guard visits > 0 else { return 0 }
    return Trigonometry.exponential(Trigonometry.naturalLogarithm(1 - confidence) / Double(visits))
  }
}
