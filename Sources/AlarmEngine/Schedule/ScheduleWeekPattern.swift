import Geometry

extension Schedule {
  /// Weekly windows merged into stretches that neither touch nor overlap, so that nothing opens or closes
  /// where two windows meet.
  struct WeekPattern: Hashable, Sendable {
    /// In minutes from Monday 0:00 of a week. `start` lies within the week; `end` may lie in the next one.
    struct Stretch: Hashable, Sendable {
      var start: Int64
      var end: Int64
    }
    /// Ascending, with a gap after each one, including that from the last to the first of the next week.
    private(set) var stretches: [Stretch]
    /// True if there is no gap.
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

    /// Merges the end of the week with its beginning.
    /// - Returns: true if the whole week is covered.
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

    /// Returns the last stretch that starts at or before `minute`; nil if there is none at all.
    ///
    /// Minutes count from some Monday 0:00, in the argument and in the result, and may be negative.
    func latest(startingBy minute: Int64) -> Stretch? {
      guard let last = stretches.last else { return nil }
      let week = floorDivide(minute, Self.minutes)
      let within = minute - week * Self.minutes
      let count = stretches.partition(firstWhere: { $0.start > within })
      return count > 0
        ? Self.shifted(stretches[count - 1], weeks: week) : Self.shifted(last, weeks: week - 1)
    }

    /// Returns the first stretch that starts after `minute`; nil if there is none at all.
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

/// Returns the quotient rounded towards minus infinity, so that times before 1970 fall on the right day.
func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
  let quotient = a / b
  return (a % b < 0) ? quotient - 1 : quotient
}

extension Array {
  /// Returns the index of the first element for which `isBeyond` is true, or `count`. All elements after it
  /// must satisfy `isBeyond`, too.
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
