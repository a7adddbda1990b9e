import Geometry

/// Probabilities of several comparisons made at once, raised so that the chance of any false claim among them stays
/// what it is for one (S. Holm, Scandinavian Journal of Statistics 6, 1979).
///
/// - Returns: in the order given; each at least as large as what was given, at most 1.
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

/// What visits without a single miss prove.
public enum ZeroMisses {
  /// The fewest visits, all caught, that show a recall of at least `recall` with one-sided `confidence`.
  /// - Precondition: both between 0 and 1, excluded.
  public static func visits(toShow recall: Double, confidence: Double = 0.95) -> Int {
    precondition(recall > 0 && recall < 1 && confidence > 0 && confidence < 1, "shares between 0 and 1")
    let count = Trigonometry.naturalLogarithm(1 - confidence) / Trigonometry.naturalLogarithm(recall)
    return Int(count.rounded(.up))
  }

  /// The recall that so many visits show when all were caught; 0 without any.
  public static func recall(shownBy visits: Int, confidence: Double = 0.95) -> Double {
    guard visits > 0 else { return 0 }
    return Trigonometry.exponential(Trigonometry.naturalLogarithm(1 - confidence) / Double(visits))
  }
}
