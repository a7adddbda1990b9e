/// How long a reminder can be put off (S213).
public enum ReminderSnooze: UInt8, Hashable, Sendable, CaseIterable {
  case halfAnHour, oneHour, threeHours
  /// 9:00 local time on the next day of the calendar.
  case tomorrowMorning
  /// Seven times 24 hours.
  case oneWeek

  /// When the reminder comes back.
  ///
  /// - Parameters:
  ///   - now: when the choice is made.
  ///   - offsets: local time, as `Schedule` wants it; only `tomorrowMorning` asks for it. A 9:00 that is left out
  ///     stands for the moment of the change, one that comes twice for the first.
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
