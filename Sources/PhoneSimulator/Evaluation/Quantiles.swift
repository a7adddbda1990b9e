/// Quantiles of numbers, interpolated linearly.
struct Quantiles {
  private let sorted: [Double]
  init(_ values: [Double]) { sorted = values.sorted() }

  /// NaN without numbers.
  func value(_ share: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    guard low + 1 < sorted.count else { return last }
    return sorted[low] + (place - Double(low)) * (sorted[low + 1] - sorted[low])
  }
}
