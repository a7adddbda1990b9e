extension Schedule {
  /// What clocks on the wall show, by a table of UTC offsets.
  ///
  /// Local time is counted in milliseconds, as an instant is, from 1970-01-01 0:00 local time.
  struct LocalClock {
    /// Ascending, with no two from the same instant; before the first, the first one's offset counts; none is UTC.
    let offsets: [Offset]

    static let day: Int64 = 24 * 3600 * 1000
    /// Further apart than any two offsets, so that clocks set back or forward longer ago are of no effect.
    private static let widest: Int64 = 52 * 3600 * 1000

    func localTime(at time: Instant) -> Int64 {
      time.millisecondsSince1970 + shift(index(at: time.millisecondsSince1970))
    }

    /// The latest time that clocks have shown until now.
    func highestLocalTime(until time: Instant) -> Int64 {
      let utc = time.millisecondsSince1970
      var index = index(at: utc)
      var highest = utc + shift(index)
      while index > 0, start(index) > utc - Self.widest {
        highest = max(highest, start(index) - 1 + shift(index - 1))
        index -= 1
      }
      return highest
    }

    /// The earliest time that clocks will show from now on.
    func lowestLocalTime(from time: Instant) -> Int64 {
      let utc = time.millisecondsSince1970
      var index = index(at: utc)
      var lowest = utc + shift(index)
      while index + 1 < offsets.count, start(index + 1) < utc + Self.widest {
        index += 1
        lowest = min(lowest, start(index) + shift(index))
      }
      return lowest
    }

    /// When clocks first show `localTime` or later.
    func instantReaching(localTime: Int64) -> Instant {
      var index = index(at: localTime - Self.widest / 2)
      while localTime - shift(index) >= end(index) { index += 1 }
      return Instant(millisecondsSince1970: max(start(index), localTime - shift(index)))
    }

    /// When clocks have shown a time before `localTime` for the last time.
    func instantLeaving(localTime: Int64) -> Instant {
      var index = index(at: localTime + Self.widest / 2)
      while index > 0, start(index) + shift(index) >= localTime { index -= 1 }
      return Instant(millisecondsSince1970: min(end(index), localTime - shift(index)))
    }

    /// Local time minus UTC, in milliseconds, in the stretch of time `index`.
    private func shift(_ index: Int) -> Int64 { offsets.isEmpty ? 0 : Int64(offsets[index].seconds) * 1000 }
    /// When the stretch `index` of time begins and ends, in milliseconds UTC; the first has always been.
    private func start(_ index: Int) -> Int64 {
      index == 0 ? .min : offsets[index].from.millisecondsSince1970
    }
    private func end(_ index: Int) -> Int64 {
      index + 1 < offsets.count ? offsets[index + 1].from.millisecondsSince1970 : .max
    }
    /// The stretch of time with one offset in which `utc` lies.
    private func index(at utc: Int64) -> Int {
      max(0, offsets.partition(firstWhere: { $0.from.millisecondsSince1970 > utc }) - 1)
    }
  }
}
