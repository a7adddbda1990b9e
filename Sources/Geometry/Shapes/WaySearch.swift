/// Adaptive samples of the signed distance along a geodesic.
struct WaySearch {
  private struct Sample {
    let along: Double
    /// Above the level, metres.
    let height: Double
  }
  private struct Stretch {
    let from: Sample
    let to: Sample
    var length: Double { to.along - from.along }
  }

  /// Metres; smaller excursions beyond the level may stay unseen.
  private static let excursion = 0.01
  private static let mostSamples = 2000

  private let outline: Outline
  private let line: GeodesicLine
  private let start: Coordinate
  private let end: Coordinate
  private let length: Double
  private let level: Double
  /// The samples of the whole way; ascending once explored.
  private var samples: [Sample] = []
  private var lowest: Sample

  init(outline: Outline, way: Geodesic, level: Double) {
    self.outline = outline
    self.level = level
    line = way.line
    (start, end) = (way.start, way.end)
    length = way.length.metres
    lowest = Sample(along: 0, height: outline.signedDistance(from: way.start).metres - level)
    samples.append(lowest)
  }

  private func sample(at along: Double) -> Sample {
    let place =
      along <= 0 ? start : along >= length ? end : line.point(at: .metres(along))
    return Sample(along: along, height: outline.signedDistance(from: place).metres - level)
  }

  private mutating func note(_ sample: Sample) {
    samples.append(sample)
    if sample.height < lowest.height { lowest = sample }
  }

  // MARK: Looking

  mutating func explore() {
    guard length > 0 else { return }
    let first = samples[0]
    let last = sample(at: length)
    note(last)
    var open = MaxHeap<Stretch>()
    let whole = Stretch(from: first, to: last)
    open.push(whole, key: doubt(whole))
    while let (stretch, key) = open.pop(), key > 1 {
      // The lowest sample may have come down since.
      guard doubt(stretch) > 1 else { continue }
      guard samples.count < Self.mostSamples else { break }
      let middle = sample(at: (stretch.from.along + stretch.to.along) / 2)
      note(middle)
      for half in [Stretch(from: stretch.from, to: middle), Stretch(from: middle, to: stretch.to)] {
        open.push(half, key: doubt(half))
      }
    }
    samples.sort { $0.along < $1.along }
  }

  /// How far beyond what is allowed the unknown between two samples can go; settled up to 1.
  private func doubt(_ stretch: Stretch) -> Double {
    let (a, b, length) = (stretch.from.height, stretch.to.height, stretch.length)
    let least = (a + b - length) / 2
    let excursion: Double
    if a > 0, b > 0 {
      excursion = -least
    } else if a <= 0, b <= 0 {
      excursion = (a + b + length) / 2
    } else {
      // To cross three times it must go beyond the level and back again, each twice.
      excursion = (length - abs(a - b)) / 4
    }
    let nearer = lowest.height - least
    return max(excursion / Self.excursion, nearer / max(Self.excursion, abs(lowest.height + level) / 20))
  }

  // MARK: Answers

  func crossings() -> [Passage.Crossing] {
    var found: [Passage.Crossing] = []
    for index in 1..<max(1, samples.count) {
      let (a, b) = (samples[index - 1], samples[index])
      guard (a.height <= 0) != (b.height <= 0) else { continue }
      found.append(Passage.Crossing(along: .metres(crossing(a, b)), inward: b.height <= 0))
    }
    return found
  }

  /// Between two samples on either side of the level: false position, each end's weight halved when it stays
  /// (the Illinois rule, M. Dowell and P. Jarratt, BIT 11 (1971)).
  private func crossing(_ first: Sample, _ last: Sample) -> Double {
    var (a, b) = (first, last)
    var (weightOfA, weightOfB) = (a.height, b.height)
    for _ in 0..<60 where b.along - a.along > 0.0005 {
      var along = a.along + (b.along - a.along) * (weightOfA / (weightOfA - weightOfB))
      if !(along > a.along && along < b.along) { along = (a.along + b.along) / 2 }
      let between = sample(at: along)
      if abs(between.height) < 1e-6 { return between.along }
      if (between.height <= 0) == (a.height <= 0) {
        a = between
        weightOfA = between.height
        weightOfB /= 2
      } else {
        b = between
        weightOfB = between.height
        weightOfA /= 2
      }
    }
    return (a.along + b.along) / 2
  }

  /// The lowest sample, lowered further between its neighbours by golden section.
  func closest() -> (signedDistance: Double, along: Double) {
    let index = samples.firstIndex { $0.along == lowest.along } ?? 0
    var a = samples[max(0, index - 1)]
    var b = samples[min(samples.count - 1, index + 1)]
    var least = lowest
    let golden = 0.381_966_011_250_105_15
    for _ in 0..<60 {
      let allowed = max(0.01, abs(least.height + level) / 1000)
      guard least.height - (a.height + b.height - (b.along - a.along)) / 2 > allowed else { break }
      let isLongerAfter = b.along - least.along > least.along - a.along
      let along =
        isLongerAfter
        ? least.along + golden * (b.along - least.along) : least.along - golden * (least.along - a.along)
      let next = sample(at: along)
      if next.height < least.height {
        if isLongerAfter { a = least } else { b = least }
        least = next
      } else if isLongerAfter {
        b = next
      } else {
        a = next
      }
    }
    return (least.height + level, least.along)
  }
}
