import AlarmEngine
import Foundation

/// A day of the Gregorian calendar and a time on it.
package struct CalendarTime: Equatable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  /// The date and time shown to people (`PrintedZone`).
  package init(_ instant: Instant) {
    let seconds = PrintedZone.secondsFromUTC(at: instant)
    self.init(utc: Instant(millisecondsSince1970: instant.millisecondsSince1970 + Int64(seconds) * 1000))
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days` (2013).
  package init(utc instant: Instant) {
    var (days, rest) = Int(instant.millisecondsSince1970).quotientAndRemainder(dividingBy: 86_400_000)
    if rest < 0 { (days, rest) = (days - 1, rest + 86_400_000) }
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }

  /// "2026-03-29"
  package var date: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
  /// "17:52:03"
  package var clock: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// RFC 3339 in UTC with milliseconds, for programs: "2026-03-29T17:52:03.250Z".
package func rfc3339(_ instant: Instant) -> String { rfc3339(CalendarTime(utc: instant), "Z") }

private func rfc3339(_ time: CalendarTime, _ offset: String) -> String {
  "\(time.date)T\(time.clock).\(padded(time.millisecond, 3))\(offset)"
}

/// The same time for people, in their time zone: "2026-03-29T19:52:03.250+02:00".
package func timeWords(_ instant: Instant) -> String {
  if PrintedZone.isUTC { return rfc3339(instant) }
  let minutes = PrintedZone.secondsFromUTC(at: instant) / 60
  let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
  return rfc3339(CalendarTime(instant), "\(minutes < 0 ? "-" : "+")\(padded(hours, 2)):\(padded(rest, 2))")
}

/// A time for people who know the day: "17:52:03", with tenths only if they are not zero.
package func clockWords(_ instant: Instant) -> String {
  let time = CalendarTime(instant)
  guard time.millisecond != 0 else { return time.clock }
  return "\(time.clock).\(time.millisecond / 100)"
}

/// Like `clockWords`, with the day if it differs from that of `reference`: "2026-05-17 00:03:20".
package func clockWords(_ instant: Instant, nextTo reference: Instant) -> String {
  let date = CalendarTime(instant).date
  return date == CalendarTime(reference).date ? clockWords(instant) : "\(date) \(clockWords(instant))"
}

/// A time typed by a person: RFC 3339, also with a blank instead of the T, without seconds, or without an
/// offset (then in `zone`); or Unix seconds.
/// - Returns: nil for any other text, and for days that do not exist.
package func instant(typed text: String, in zone: TimeZone = .gmt) -> Instant? {
  var parser = TimeParser(bytes: Array(text.utf8), zone: zone)
  return parser.instant()
}

private struct TimeParser {
  package let bytes: [UInt8]
  package let zone: TimeZone
  package var position = 0

  package init(bytes: [UInt8], zone: TimeZone) {
    self.bytes = bytes
    self.zone = zone
  }

  package mutating func instant() -> Instant? {
    if let seconds = unixSeconds() { return seconds }
    var hasOffset = false
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2), (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    var milliseconds = Self.daysSince1970(year, month, day) * 86_400_000
    if !atEnd {
      guard take("T") || take("t") || take(" "), let hour = number(digits: 2), hour <= 23, take(":"),
        let minute = number(digits: 2), minute <= 59
      else { return nil }
      milliseconds += hour * 3_600_000 + minute * 60_000
      if take(":") {
        guard let second = number(digits: 2), second <= 60 else { return nil }
        milliseconds += min(second, 59) * 1000  // A leap second is the last one of its minute.
        if take(".") || take(",") {
          guard let fraction = fraction() else { return nil }
          milliseconds += fraction
        }
      }
      if !atEnd {
        guard let offset = offset() else { return nil }
        hasOffset = true
        milliseconds -= offset * 60_000
      }
    }
    var instant = Instant(millisecondsSince1970: Int64(milliseconds))
    if !hasOffset { instant = PrintedZone.instant(shownAs: instant, in: zone) }
    return atEnd && Instant.allowed.contains(instant) ? instant : nil
  }

  /// Reads nine or more digits, with or without a fraction.
  private func unixSeconds() -> Instant? {
    guard bytes.count >= 9, bytes.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }),
      let seconds = Double(String(decoding: bytes, as: UTF8.self)), seconds < 253_402_300_800
    else { return nil }
    return Instant(millisecondsSince1970: Int64((seconds * 1000).rounded()))
  }

  private var atEnd: Bool { position == bytes.count }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += digits
    return value
  }

  /// Reads milliseconds; digits beyond the third are dropped.
  private mutating func fraction() -> Int? {
    var value = 0
    var weight = 100
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) {
      value += Int(bytes[position] - 48) * weight
      weight /= 10
      position += 1
    }
    return position > start ? value : nil
  }

  /// Reads an offset, in minutes.
  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2), hours <= 23 else { return nil }
    let colon = take(":")
    if atEnd && !colon { return sign * hours * 60 }
    guard let minutes = number(digits: 2), minutes <= 59 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Hinnant's `days_from_civil`, as above.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
