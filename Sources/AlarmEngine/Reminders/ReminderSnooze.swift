/// The durations of a snooze (S213).
public enum ReminderSnooze: UInt8, Hashable, Sendable, CaseIterable {
  case halfAnHour, oneHour, threeHours
  /// 9:00 local time on the next day of the calendar.
  case tomorrowMorning
  /// Seven times 24 hours.
  case oneWeek

  /// Returns when the reminder comes back.
  ///
  /// - Parameters:
  ///   - now: the time of the choice.
  ///   - offsets: the UTC offsets as in `Schedule`, needed only for `tomorrowMorning`. If the change of
  ///     clocks skips 9:00, the moment of the change counts; if 9:00 comes twice, the first one counts.
  public func until(from now: Instant, offsets: [Schedule.Offset]) -> Instant {
    switch self {
    case .halfAnHour: return now + .minutes(30)
    case .oneHour: return now + .hours(1)
    case .threeHours: return now + .hours(3)
    case .oneWeek: return now + .hours(7 * 24)
    case .tomorrowMorning:
      let clock = Schedule.LocalClock(offsets: Schedule.inOrder(offsets))
      let day = Schedule.LocalClock.day
      let today = floorDivide(clock.localTime(at: now.clampedToAllowed), day)
      return clock.instantReaching(localTime: (today + 1) * day + 9 * 3600 * 1000)
    }
  }
}
