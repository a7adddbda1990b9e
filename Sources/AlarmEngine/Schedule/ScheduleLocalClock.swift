extension Schedule {
  /// The local time that clocks show, by a table of UTC offsets.
  ///
  /// Local time is in milliseconds since 1970-01-01 0:00 local time.
  struct LocalClock {
    /// Ascending and distinct in `from`. The first offset also counts before its start; without offsets,
    /// local time is UTC.
    let offsets: [Offset]

    static let day: Int64 = 24 * 3600 * 1000
    /// Greater than the difference of any two offsets, so that earlier changes of clocks have no effect.
    private static let widest: Int64 = 52 * 3600 * 1000

    func localTime(at time: Instant) -> Int64 {
      time.millisecondsSince1970 + shift(index(at: time.millisecondsSince1970))
    }

    /// Returns the latest local time that clocks have shown until `time`.
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

    /// Returns the earliest local time that clocks will show from `time` on.
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

    /// Returns when clocks first show `localTime` or later.
    func instantReaching(localTime: Int64) -> Instant {
      var index = index(at: localTime - Self.widest / 2)
      while localTime - shift(index) >= end(index) { index += 1 }
      return Instant(millisecondsSince1970: max(start(index), localTime - shift(index)))
    }

    /// Returns when clocks show a time before `localTime` for the last time.
    func instantLeaving(localTime: Int64) -> Instant {
      var index = index(at: localTime + Self.widest / 2)
      while index > 0, start(index) + shift(index) >= localTime { index -= 1 }
      return Instant(millisecondsSince1970: min(end(index), localTime - shift(index)))
    }

    /// Returns local time minus UTC, in milliseconds, in the stretch `index`.
    private func shift(_ index: Int) -> Int64 { offsets.isEmpty ? 0 : Int64(offsets[index].seconds) * 1000 }
    /// Returns the start of the stretch `index`, in milliseconds UTC. The first one has no start, and the
    /// last one no end.
    private func start(_ index: Int) -> Int64 {
      index == 0 ? .min : offsets[index].from.millisecondsSince1970
    }
    private func end(_ index: Int) -> Int64 {
      index + 1 < offsets.count ? offsets[index + 1].from.millisecondsSince1970 : .max
    }
    /// Returns the stretch with one offset that contains `utc`.
    private func index(at utc: Int64) -> Int {
      max(0, offsets.partition(firstWhere: { $0.from.millisecondsSince1970 > utc }) - 1)
    }
  }
}
