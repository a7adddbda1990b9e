extension Schedule {
  /// Whether a zone with this schedule is on duty.
  ///
  /// A window begins when local clocks first reach its opening minute and ends when they last leave the minute
  /// before its closing one. So in the night when clocks go back, a window that opens in the hour that comes
  /// twice opens the first time, one that closes in it closes the second time, and none falters between: the
  /// zone is watched for longer, never for less. A minute that is left out when clocks go forward stands for the
  /// moment of the change; a window that lies wholly in what is left out does not open on that day.
  /// - Complexity: logarithmic in the numbers of windows and offsets.
  public func isOpen(at time: Instant) -> Bool {
    if week.isAlwaysOpen { return true }
    let time = Self.clamped(time)
    guard let stretch = week.latest(startingBy: Self.weekMinute(highestLocalTime(until: time))) else {
      return false
    }
    return lowestLocalTime(from: time) < Self.localTime(ofWeekMinute: stretch.end)
  }

  /// The first instant after `time` at which the schedule opens or closes.
  ///
  /// Nil when it never does again: no window, or windows without a gap. Windows that touch are one.
  /// The last offset known is taken to last for ever.
  public func nextChange(after time: Instant) -> Instant? {
    if week.isAlwaysOpen || week.stretches.isEmpty { return nil }
    return Self.within(
      isOpen(at: time) ? closing(after: Self.clamped(time)) : opening(after: Self.clamped(time)))
  }

  /// The first instant after `time` at which the schedule, closed just before, opens; nil when it never does.
  public func nextOpening(after time: Instant) -> Instant? {
    guard let change = nextChange(after: time) else { return nil }
    return isOpen(at: change) ? change : nextChange(after: change)
  }

  /// How many stretches can pass without a change: all of a few weeks around each change of the clocks.
  private var mostSteps: Int { 4 * (week.stretches.count + 1) * (offsets.count + 2) }

  private func closing(after time: Instant) -> Instant? {
    var time = time
    for _ in 0..<mostSteps {
      guard let stretch = week.latest(startingBy: Self.weekMinute(highestLocalTime(until: time))) else {
        return nil
      }
      time = instantLeaving(localTime: Self.localTime(ofWeekMinute: stretch.end))
      if !isOpen(at: time) { return time }
    }
    return nil
  }

  private func opening(after time: Instant) -> Instant? {
    var minute = Self.weekMinute(highestLocalTime(until: time))
    for _ in 0..<mostSteps {
      guard let stretch = week.first(startingAfter: minute) else { return nil }
      let opening = instantReaching(localTime: Self.localTime(ofWeekMinute: stretch.start))
      if isOpen(at: opening) { return opening }
      minute = stretch.start
    }
    return nil
  }
}

// Local time is counted in milliseconds, as an instant is, from 1970-01-01 0:00 local time.
extension Schedule {
  private static let minute: Int64 = 60_000
  /// Further apart than any two offsets, so that clocks set back or forward longer ago are of no effect.
  private static let widest: Int64 = 52 * 3600 * 1000
  /// 1970-01-01 was a Thursday: minutes from the Monday before.
  private static let mondayToThursday: Int64 = 3 * 1440

  private static func weekMinute(_ localTime: Int64) -> Int64 {
    floorDivide(localTime, minute) + mondayToThursday
  }
  private static func localTime(ofWeekMinute minute: Int64) -> Int64 {
    (minute - mondayToThursday) * Self.minute
  }
  private static func clamped(_ time: Instant) -> Instant {
    min(max(time, Instant.allowed.lowerBound), Instant.allowed.upperBound)
  }
  private static func within(_ time: Instant?) -> Instant? {
    guard let time, Instant.allowed.contains(time) else { return nil }
    return time
  }

  /// Local time minus UTC, in milliseconds, in the stretch of time `index`.
  private func shift(_ index: Int) -> Int64 { offsets.isEmpty ? 0 : Int64(offsets[index].seconds) * 1000 }
  /// When the stretch `index` of time begins and ends, in milliseconds UTC; the first has always been.
  private func start(_ index: Int) -> Int64 { index == 0 ? .min : offsets[index].from.millisecondsSince1970 }
  private func end(_ index: Int) -> Int64 {
    index + 1 < offsets.count ? offsets[index + 1].from.millisecondsSince1970 : .max
  }
  /// The stretch of time with one offset in which `utc` lies.
  private func index(at utc: Int64) -> Int {
    max(0, offsets.partition(firstWhere: { $0.from.millisecondsSince1970 > utc }) - 1)
  }

  /// The latest time that local clocks have shown until now.
  private func highestLocalTime(until time: Instant) -> Int64 {
    let utc = time.millisecondsSince1970
    var index = index(at: utc)
    var highest = utc + shift(index)
    while index > 0, start(index) > utc - Self.widest {
      highest = max(highest, start(index) - 1 + shift(index - 1))
      index -= 1
    }
    return highest
  }

  /// The earliest time that local clocks will show from now on.
  private func lowestLocalTime(from time: Instant) -> Int64 {
    let utc = time.millisecondsSince1970
    var index = index(at: utc)
    var lowest = utc + shift(index)
    while index + 1 < offsets.count, start(index + 1) < utc + Self.widest {
      index += 1
      lowest = min(lowest, start(index) + shift(index))
    }
    return lowest
  }

  /// When local clocks first show `localTime` or later.
  private func instantReaching(localTime: Int64) -> Instant {
    var index = index(at: localTime - Self.widest / 2)
    while localTime - shift(index) >= end(index) { index += 1 }
    return Instant(millisecondsSince1970: max(start(index), localTime - shift(index)))
  }

  /// When local clocks have shown a time before `localTime` for the last time.
  private func instantLeaving(localTime: Int64) -> Instant {
    var index = index(at: localTime + Self.widest / 2)
    while index > 0, start(index) + shift(index) >= localTime { index -= 1 }
    return Instant(millisecondsSince1970: min(end(index), localTime - shift(index)))
  }
}
