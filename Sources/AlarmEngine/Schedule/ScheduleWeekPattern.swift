import Geometry

extension Schedule {
  /// Weekly windows melted into stretches that neither touch nor overlap, so that nothing opens and closes at
  /// a seam.
  struct WeekPattern: Hashable, Sendable {
    /// In minutes since Monday 0:00 of one week. `start` lies within the week; `end` may lie in the next one.
    struct Stretch: Hashable, Sendable {
      var start: Int64
      var end: Int64
    }
    /// Ascending, with a gap after each, also from the last to the first of the next week.
    private(set) var stretches: [Stretch]
    /// There is no gap at all.
    let isAlwaysOpen: Bool

    static let minutes: Int64 = 7 * 1440

    init(_ windows: [Window]) {
      stretches = Self.melted(Self.openings(windows))
      isAlwaysOpen = Self.closeCircle(&stretches)
    }

    private static func openings(_ windows: [Window]) -> [Stretch] {
      var all: [Stretch] = []
      for window in windows {
        for day in 0..<7 where window.weekdays.contains(Weekdays(rawValue: 1 << UInt8(day))) {
          let start = Int64(day * 1440 + window.opens)
          all.append(Stretch(start: start, end: start + Int64(window.minutes)))
        }
      }
      all.sort { $0.start < $1.start }
      return all
    }

    private static func melted(_ openings: [Stretch]) -> [Stretch] {
      var result: [Stretch] = []
      for next in openings {
        if let last = result.last, next.start <= last.end {
          result[result.count - 1].end = max(last.end, next.end)
        } else {
          result.append(next)
        }
      }
      return result
    }

    /// Melts the end of the week into its beginning.
    /// - Returns: whether the whole week is covered.
    private static func closeCircle(_ stretches: inout [Stretch]) -> Bool {
      guard var last = stretches.last else { return false }
      var swallowed = 0
      while swallowed < stretches.count - 1, stretches[swallowed].start + minutes <= last.end {
        last.end = max(last.end, stretches[swallowed].end + minutes)
        swallowed += 1
      }
      stretches[stretches.count - 1] = last
      stretches.removeFirst(swallowed)
      return last.end - last.start >= minutes
    }

    /// The stretch that starts last, at or before `minute`; nil when there is none at all.
    ///
    /// Minutes are counted from some Monday 0:00, in the argument as in the answer, and may be negative.
    func latest(startingBy minute: Int64) -> Stretch? {
      guard let last = stretches.last else { return nil }
      let week = floorDivide(minute, Self.minutes)
      let within = minute - week * Self.minutes
      let count = stretches.partition(firstWhere: { $0.start > within })
      return count > 0
        ? Self.shifted(stretches[count - 1], weeks: week) : Self.shifted(last, weeks: week - 1)
    }

    /// The stretch that starts first, after `minute`.
    func first(startingAfter minute: Int64) -> Stretch? {
      guard let first = stretches.first else { return nil }
      let week = floorDivide(minute, Self.minutes)
      let within = minute - week * Self.minutes
      let index = stretches.partition(firstWhere: { $0.start > within })
      return index < stretches.count
        ? Self.shifted(stretches[index], weeks: week) : Self.shifted(first, weeks: week + 1)
    }

    private static func shifted(_ stretch: Stretch, weeks: Int64) -> Stretch {
      Stretch(start: stretch.start + weeks * minutes, end: stretch.end + weeks * minutes)
    }
  }
}

/// The quotient rounded towards minus infinity, so that times before 1970 fall into the right day.
func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
  let quotient = a / b
  return (a % b < 0) ? quotient - 1 : quotient
}

extension Array {
  /// The index of the first element for which `isBeyond` holds, in an array in which all such come last.
  func partition(firstWhere isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
