extension Schedule {
  /// True if a zone with this schedule is on duty.
  ///
  /// A window begins when local clocks first reach its opening minute and ends when they last leave the
  /// minute before its closing one. When clocks go back, a window that opens in the repeated hour opens the
  /// first time, one that closes in it closes the second time, and no window is interrupted: the zone is
  /// watched for longer, never for less. When clocks go forward, a skipped minute stands for the moment of
  /// the change, and a window that lies entirely in the skipped time does not open on that day.
  /// - Complexity: logarithmic in the numbers of windows and offsets.
  public func isOpen(at time: Instant) -> Bool {
    if week.isAlwaysOpen { return true }
    let time = time.clampedToAllowed
    guard let stretch = week.latest(startingBy: weekMinute(reachedBy: time)) else { return false }
    return clock.lowestLocalTime(from: time) < Self.localTime(ofWeekMinute: stretch.end)
  }

  /// Returns the first instant after `time` at which the schedule opens or closes.
  ///
  /// Nil if it never does again: there is no window, or the windows leave no gap. Windows that touch count as
  /// one. The last known offset is assumed to last for ever.
  @inline(never) public func nextChange(after time: Instant) -> Instant? {
    if week.isAlwaysOpen || week.stretches.isEmpty { return nil }
    let time = time.clampedToAllowed
    guard let change = isOpen(at: time) ? closing(after: time) : opening(after: time),
      Instant.allowed.contains(change)
    else { return nil }
    return change
  }

  /// Returns the first instant after `time` at which the schedule changes from closed to open; nil if it
  /// never does.
  public func nextOpening(after time: Instant) -> Instant? {
    guard let change = nextChange(after: time) else { return nil }
    return isOpen(at: change) ? change : nextChange(after: change)
  }

  /// The number of stretches that can pass without a change: all stretches of a few weeks around each change
  /// of clocks.
  private var mostSteps: Int { 4 * (week.stretches.count + 1) * (offsets.count + 2) }

  @inline(never) private func closing(after time: Instant) -> Instant? {
    var time = time
    for _ in 0..<mostSteps {
      guard let stretch = week.latest(startingBy: weekMinute(reachedBy: time)) else { return nil }
      time = clock.instantLeaving(localTime: Self.localTime(ofWeekMinute: stretch.end))
      if !isOpen(at: time) { return time }
    }
    return nil
  }

  @inline(never) private func opening(after time: Instant) -> Instant? {
    var minute = weekMinute(reachedBy: time)
    for _ in 0..<mostSteps {
      guard let stretch = week.first(startingAfter: minute) else { return nil }
      let opening = clock.instantReaching(localTime: Self.localTime(ofWeekMinute: stretch.start))
      if isOpen(at: opening) { return opening }
      minute = stretch.start
    }
    return nil
  }

  private var clock: LocalClock { LocalClock(offsets: offsets) }

  /// Returns the latest minute that local clocks have shown until `time`, counted from a Monday 0:00.
  private func weekMinute(reachedBy time: Instant) -> Int64 {
    floorDivide(clock.highestLocalTime(until: time), Self.minute) + Self.mondayToThursday
  }
  private static func localTime(ofWeekMinute minute: Int64) -> Int64 {
    (minute - mondayToThursday) * Self.minute
  }
  private static let minute: Int64 = 60_000
  /// 1970-01-01 was a Thursday: the minutes from the Monday before.
  private static let mondayToThursday: Int64 = 3 * 1440
}

extension Instant {
  /// The time, moved into the range that clocks can show.
  var clampedToAllowed: Instant { min(max(self, Self.allowed.lowerBound), Self.allowed.upperBound) }
}
