import AlarmEngine

/// Makes instants of times of day, for logs that tell the date now and then or never.
///
/// A step of more than half a day back is midnight passed; one forward is a late entry of the day before.
package struct TimestampDayClock {
  package static let day = 86_400_000

  /// Days since 1970-01-01 of the entry before.
  private var today: Int?
  private var last: Int?

  /// - Parameter today: days since 1970-01-01 on which the log begins, if known.
  package init(today: Int? = nil) { self.today = today }

  package var knowsDate: Bool { today != nil }

  /// From here on it is this day.
  package mutating func set(today: Int) {
    self.today = today
    last = nil
  }

  /// - Parameter timeOfDay: milliseconds since midnight UTC.
  /// - Parameter date: days since 1970-01-01, if the entry itself has a date.
  /// - Returns: nil while no date is known, or when the result is not one of `Instant.allowed`.
  package mutating func instant(timeOfDay: Int, date: Int? = nil) -> Instant? {
    if let date {
      today = date
    } else if let today, let last {
      if timeOfDay < last - Self.day / 2 { self.today = today + 1 }
      if timeOfDay > last + Self.day / 2 { self.today = today - 1 }
    }
    guard let today else { return nil }
    last = timeOfDay
    let instant = Instant(millisecondsSince1970: Int64(today) * Int64(Self.day) + Int64(timeOfDay))
    return Instant.allowed.contains(instant) ? instant : nil
  }

  /// The whole days since 1970-01-01 of `instant`.
  package static func day(of instant: Instant) -> Int {
    Int(TimestampCalendar.floorDivide(instant.millisecondsSince1970, by: Int64(day)))
  }

  /// Six digits, day, month and year of the century: 80 to 99 are 1980 to 1999, as GPS began in 1980.
  /// - Returns: days since 1970-01-01, nil for other bytes and for days that do not exist.
  package static func day(ddmmyy bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    guard bytes.count == 6, let day = rest.takeNumber(digits: 2...2),
      let month = rest.takeNumber(digits: 2...2),
      let year = rest.takeNumber(digits: 2...2)
    else { return nil }
    return TimestampCalendar(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)?
      .daysSince1970
  }

  /// Six digits hhmmss, and a fraction after a point where there is one; milliseconds since midnight.
  package static func timeOfDay(hhmmss bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    guard let hour = rest.takeNumber(digits: 2...2), let minute = rest.takeNumber(digits: 2...2),
      let second = rest.takeNumber(digits: 2...2), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0
    if rest.takeByte("."), !rest.isEmpty {
      guard let milliseconds = rest.takeFraction() else { return nil }
      fraction = milliseconds
    }
    guard rest.isEmpty else { return nil }
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }
}
