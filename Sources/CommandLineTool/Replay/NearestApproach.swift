import AlarmEngine
import CommandLineSupport
import Geometry

/// The fix of a track that came nearest to a zone.
struct NearestApproach: Equatable {
  /// The distance to the effective edge; negative inside.
  let distance: Distance
  let at: Instant
}

/// A track with the distance travelled up to every fix, for fast measurements of many zones.
///
/// A signed distance changes by at most the distance travelled. So after a fix at distance `d` from a zone,
/// no fix within the next `d - nearest` metres of the track can be nearer than `nearest`, and all of them are
/// skipped.
struct MeasuredTrack {
  /// The fixes by time.
  let fixes: [Fix]
  /// The metres travelled since the first fix, never decreasing.
  let gone: [Double]
  /// The positions of the fixes that follow implausible fixes, which were left out; ascending.
  let breaks: [Int]
  /// The most breaks that are drawn.
  private static let mostBreaks = 300

  init(_ device: ReplayRun.Device) { self.init(device.believed, leftOut: device.unused.map(\.fix)) }

  /// - Parameter leftOut: fixes of the same device that are not in `fixes`, by time.
  init(_ fixes: [Fix], leftOut: [Fix] = []) {
    self.fixes = fixes.sorted { $0.measuredAt < $1.measuredAt }
    var gone: [Double] = []
    gone.reserveCapacity(fixes.count)
    for (index, fix) in self.fixes.enumerated() {
      let step = index == 0 ? 0 : fix.position.distance(to: self.fixes[index - 1].position).metres
      gone.append((gone.last ?? 0) + step)
    }
    self.gone = gone
    var breaks: [Int] = []
    var index = 0
    for fix in leftOut {
      while index < self.fixes.count, self.fixes[index].measuredAt <= fix.measuredAt { index += 1 }
      guard index < self.fixes.count, breaks.count < Self.mostBreaks else { break }
      if index > 0, breaks.last != index { breaks.append(index) }
    }
    self.breaks = breaks
  }

  /// True if fixes were left out between two others.
  func isBroken(between first: Int, and last: Int) -> Bool {
    var (low, high) = (0, breaks.count)
    while low < high {
      let middle = (low + high) / 2
      if breaks[middle] <= first { low = middle + 1 } else { high = middle }
    }
    return low < breaks.count && breaks[low] <= last
  }

  /// The least effective distance of all fixes to a zone; the first of equals.
  ///
  /// Exact up to two kilometres; beyond, at most 0.5 % more than the least. Without this tolerance a phone
  /// that stands still far away would require measuring every zone of a continent at every fix.
  func nearestApproach(to zone: PlacedZone) -> NearestApproach? {
    var nearest: NearestApproach?
    var index = 0
    while index < fixes.count {
      let distance = zone.effectiveDistance(from: fixes[index].position)
      if nearest.map({ distance < $0.distance }) ?? true {
        nearest = NearestApproach(distance: distance, at: fixes[index].measuredAt)
      }
      let tolerance = nearest!.distance.metres > 2000 ? nearest!.distance.metres / 200 : 0
      index = next(after: index, free: distance.metres - nearest!.distance.metres + tolerance)
    }
    return nearest
  }

  /// The distance to a zone along the track, sampled so that no change above 1 % (or 0.2 m) is lost.
  /// - Returns: positions in `fixes` with their effective distances; includes the first and the last fix and
  ///   those beside a break.
  func distances(to zone: PlacedZone) -> [(index: Int, metres: Double)] {
    var samples: [(index: Int, metres: Double)] = []
    var stops = breaks.flatMap { [$0 - 1, $0] }[...]
    var index = 0
    while index < fixes.count {
      let metres = zone.effectiveDistance(from: fixes[index].position).metres
      samples.append((index, metres))
      guard index < fixes.count - 1 else { break }
      while let stop = stops.first, stop <= index { stops.removeFirst() }
      index = min(
        next(after: index, free: max(0.2, abs(metres) / 100)), stops.first ?? .max, fixes.count - 1)
    }
    return samples
  }

  /// The first fix after `index` that lies more than `free` metres ahead on the track. A margin of a
  /// millionth covers rounding.
  private func next(after index: Int, free: Double) -> Int {
    let limit = gone[index] + free * (1 - 1e-6) - 1e-6
    var low = index + 1
    var high = gone.count
    while low < high {
      let middle = (low + high) / 2
      if gone[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
