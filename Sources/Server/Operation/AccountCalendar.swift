import AlarmEngine
import AlarmService
import Foundation
import Store

/// The calendar of an account's time zone; UTC if it has set none.
struct AccountCalendar {
  private var calendar = Calendar(identifier: .gregorian)

  init(_ settings: AccountSettings) {
    calendar.timeZone = HistoryCalendar.timeZone(inSettings: settings.json)
  }

  /// The first moment of the next day, which is not midnight if the clocks are put forward then.
  func nextMidnight(after now: Instant) -> Instant {
    let today = calendar.startOfDay(for: Date(now))
    guard let next = calendar.date(byAdding: .day, value: 1, to: today) else { return now + .hours(24) }
    return Instant(calendar.startOfDay(for: next))
  }

  /// The next moment at which the clock shows a time of day. If the clocks are put forward over it, the
  /// moment after; if they are put back, the first of the two.
  /// - Parameter minute: minutes after midnight, 0...1439.
  func next(minute: Int, after now: Instant) -> Instant {
    let time = DateComponents(hour: minute / 60, minute: minute % 60, second: 0)
    let next = calendar.nextDate(
      after: Date(now), matching: time, matchingPolicy: .nextTime, repeatedTimePolicy: .first)
    return next.map { Instant($0) } ?? now + .hours(24)
  }
}

extension Date {
  fileprivate init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000)
  }
}

extension Instant {
  fileprivate init(_ date: Date) {
    self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}
