import AlarmEngine
import Formats
import Store

/// When the time of an expected arrival comes next, by the clocks of its time zone.
///
/// A time that a clock change leaves out comes at the moment of the change. One that comes twice counts the first
/// time.
package enum ArrivalTimes {
  /// A day of the year that a time zone leaves out moves everything by a day at most, so a week and some days hold
  /// each weekday.
  private static let daysAhead = 9
  private static let day: Int64 = 86_400_000

  /// Returns the first due time after `now`.
  package static func next(_ time: ExpectedArrival.Time, after now: Instant) -> Instant {
    let span = TimeSpan.hours(24 * 14)
    // A time zone that Foundation no longer knows: a time in UTC is wrong, but never silent.
    let offsets =
      (try? TimeZoneOffsets.offsets(of: time.timeZone, from: now - span, through: now + span)) ?? []
    let local = now.millisecondsSince1970 + offset(at: now, offsets)
    let today = Int64((Double(local) / Double(day)).rounded(.down))
    for ahead in -1...Int64(daysAhead) {
      let date = today + ahead
      guard time.days.contains(weekday(of: date)) else { continue }
      let due = moment(of: date * day + Int64(time.minute) * 60_000, offsets)
      if due > now { return due }
    }
    // Never reached: ten days hold each weekday.
    return now + .hours(24)
  }

  /// Monday = bit 0; the first of January 1970 was a Thursday.
  private static func weekday(of date: Int64) -> Schedule.Weekdays {
    Schedule.Weekdays(rawValue: 1 << UInt8((date % 7 + 7 + 3) % 7))
  }

  private static func offset(at time: Instant, _ offsets: [Schedule.Offset]) -> Int64 {
    Int64((offsets.last { $0.from <= time } ?? offsets.first)?.seconds ?? 0) * 1000
  }

  /// The first moment at which the clocks show a local time or have passed it.
  /// - Parameter local: milliseconds since the local midnight of the first of January 1970.
  private static func moment(of local: Int64, _ offsets: [Schedule.Offset]) -> Instant {
    for (index, offset) in offsets.enumerated() {
      let shown = Instant(millisecondsSince1970: local - Int64(offset.seconds) * 1000)
      let moment = index == 0 ? shown : max(shown, offset.from)
      guard index + 1 < offsets.count, moment >= offsets[index + 1].from else { return moment }
    }
    return Instant(millisecondsSince1970: local)
  }

  /// Returns the due time to judge, and the one that comes after `now`.
  ///
  /// Only the latest of several due times that have passed is judged, and none that passed long ago.
  /// - Returns: nil if the stored due time is still to come.
  package static func due(of expected: ExpectedArrival, at now: Instant) -> (judged: Instant?, next: Instant)?
  {
    guard expected.nextDue <= now else { return nil }
    let earliest = now - ExpectedArrival.judgedFor
    var judged = expected.nextDue
    if judged < earliest { judged = next(expected.time, after: earliest - .milliseconds(1)) }
    var following = next(expected.time, after: judged)
    while following <= now { (judged, following) = (following, next(expected.time, after: following)) }
    return judged <= now ? (judged, following) : (nil, judged)
  }

  /// The time of day at a moment, by the clocks of a time zone: "08:12".
  static func clock(at time: Instant, in timeZone: String) -> String {
    let offsets = try? TimeZoneOffsets.offsets(of: timeZone, from: time, through: time)
    let local = time.millisecondsSince1970 + Int64(offsets?.first?.seconds ?? 0) * 1000
    return clock(minute: Int((local % day + day) % day / 60_000))
  }

  /// - Parameter minute: after midnight.
  static func clock(minute: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return two(minute / 60) + ":" + two(minute % 60)
  }

  // MARK: After a start or a change of the clock

  private static let readAtOnce = 1000

  /// Computes all due times to come again: the rules of a time zone may have changed with an update, and a clock that
  /// was ahead has left out days.
  package static func computeAgain(_ store: SQLStore, at now: Instant) async throws {
    var last: ExpectedArrivalID?
    while true {
      let found = try await store.expectedArrivals(dueAfter: now, after: last, limit: readAtOnce)
      let moved = found.compactMap { expected -> ExpectedArrivalStep? in
        let next = next(expected.time, after: now)
        return next == expected.nextDue ? nil : ExpectedArrivalStep(expected, next: next)
      }
      try await store.move(moved, at: now)
      guard found.count == readAtOnce, let end = found.last else { return }
      last = end.id
    }
  }
}
