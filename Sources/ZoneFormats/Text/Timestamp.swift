import AlarmEngine

/// Reads times as files write them, independent of locale.
///
/// - RFC 3339 and its relatives: `2026-11-21T11:32:05.25Z`, `2026-11-21 11:32:05+01:00`, `2026/11/21 11:32`.
///   Without a zone they are UTC.
/// - Unix time: seconds, and where the number is too large for seconds before the year 5138, milliseconds,
///   microseconds or nanoseconds.
/// - RFC 1123 and RFC 5322: `Sat, 21 Nov 2026 11:32:05 GMT`, the month by its English name.
/// - Fourteen digits, `20261121113205`: date and time, UTC.
///
/// Day-first and month-first dates are refused, since they cannot be told apart.
package enum Timestamp {
  package enum Zone: Equatable {
    case stated
    case assumedUTC
  }
  package enum Reading: Equatable {
    case time(Instant, zone: Zone)
    /// A time, but not one of `Instant.allowed`.
    case outOfRange
    case unreadable
  }
  package static let expected = "a time like 2026-11-21T11:32:05Z or in Unix seconds expected"
  package static let allowedYears = "the years 0001 to 9999 are allowed"

  package static func read(_ text: String) -> Reading { read(Array(text.utf8)[...]) }

  package static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
    let trimmed = bytes.trimmed
    guard let first = trimmed.first, trimmed.count <= 64 else { return readOtherDigits(trimmed) }
    guard first < 0x80 else { return readOtherDigits(trimmed) }
    let reading = readPlain(trimmed, first)
    return reading == .unreadable ? readOtherDigits(trimmed) : reading
  }

  /// Digits of other scripts take up to four bytes each.
  private static func readOtherDigits(_ bytes: ArraySlice<UInt8>) -> Reading {
    guard let plain = Numerals.plain(bytes)?[...].trimmed, let first = plain.first, plain.count <= 64 else {
      return .unreadable
    }
    return readPlain(plain, first)
  }

  private static func readPlain(_ trimmed: ArraySlice<UInt8>, _ first: UInt8) -> Reading {
    if let civil = readCivil(trimmed) ?? readMailDate(trimmed, first) { return civil }
    guard first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else {
      return .unreadable
    }
    return readUnix(trimmed)
  }

  /// Reads a date and a time of day from two fields, as some tables have them.
  package static func read(date: ArraySlice<UInt8>, time: ArraySlice<UInt8>, offset: ArraySlice<UInt8> = [])
    -> Reading
  {
    read(date.trimmed + [UInt8(ascii: "T")] + time.trimmed + offset.trimmed)
  }

  /// Reads Unix time in `unitsPerSecond`, 1 for seconds, 1000 for milliseconds; nil detects the unit by size.
  package static func readUnix(_ bytes: ArraySlice<UInt8>, unitsPerSecond: Double? = nil) -> Reading {
    let trimmed = bytes.trimmed
    guard let number = NumberField.decimal(trimmed) ?? NumberField.localized(trimmed) else {
      return .unreadable
    }
    let size = abs(number)
    let units = unitsPerSecond ?? (size < 1e11 ? 1 : size < 1e14 ? 1e3 : size < 1e17 ? 1e6 : 1e9)
    return instant(milliseconds: number / units * 1000)
  }

  /// Rounded to the nearest millisecond.
  package static func instant(milliseconds: Double) -> Reading {
    guard milliseconds.isFinite, abs(milliseconds) < 1e15 else { return .outOfRange }
    let instant = Instant(millisecondsSince1970: Int64(milliseconds.rounded()))
    return Instant.allowed.contains(instant) ? .time(instant, zone: .stated) : .outOfRange
  }

  /// nil when `bytes` is not a date with a time of day, good or bad.
  private static func readCivil(_ bytes: ArraySlice<UInt8>) -> Reading? {
    var rest = bytes
    guard let date = readDate(&rest) else { return nil }
    while let next = rest.first,
      next == 0x20 || next == UInt8(ascii: "T") || next == UInt8(ascii: "t")
        || next == UInt8(ascii: "_")
    { rest.removeFirst() }
    guard let day = TimestampCalendar(year: date.year, month: date.month, day: date.day),
      let time = readTimeOfDay(&rest), let zone = readZone(&rest), rest.isEmpty
    else { return .unreadable }
    let instant = Instant(
      millisecondsSince1970: Int64(day.daysSince1970) * 86_400_000 + Int64(time - (zone.offset ?? 0)))
    guard Instant.allowed.contains(instant) else { return .outOfRange }
    return .time(instant, zone: zone.offset == nil ? .assumedUTC : .stated)
  }

  /// nil when `bytes` do not begin with a day and the name of a month, a day of the week before them or not.
  private static func readMailDate(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> Reading? {
    var rest = bytes
    if !first.isDigit {
      let weekday = takeWord(&rest)
      guard weekdays.contains(where: { $0 == weekday || $0.prefix(3) == weekday }) else { return nil }
      _ = rest.takeByte(",")
      takeBlanks(&rest)
    }
    guard let day = rest.takeNumber(digits: 1...2), takeBlanks(&rest) else { return nil }
    let name = takeWord(&rest)
    guard let month = months.firstIndex(where: { $0 == name || $0.prefix(3) == name }) else { return nil }
    guard takeBlanks(&rest), let year = rest.takeNumber(digits: 4...4), takeBlanks(&rest),
      let date = TimestampCalendar(year: year, month: month + 1, day: day), let time = readTimeOfDay(&rest)
    else { return .unreadable }
    while rest.first == 0x20 { rest.removeFirst() }
    let stated: Int?
    if let hours = zones[String(decoding: rest, as: UTF8.self).uppercased()] {
      stated = hours * 3_600_000
    } else {
      guard let zone = readZone(&rest), rest.isEmpty else { return .unreadable }
      stated = zone.offset
    }
    let instant = Instant(
      millisecondsSince1970: Int64(date.daysSince1970) * 86_400_000 + Int64(time - (stated ?? 0)))
    guard Instant.allowed.contains(instant) else { return .outOfRange }
    return .time(instant, zone: stated == nil ? .assumedUTC : .stated)
  }

  private static func takeWord(_ rest: inout ArraySlice<UInt8>) -> String {
    let word = rest.prefix(12).prefix {
      ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
    }
    rest = rest[word.endIndex...]
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  /// - Returns: whether there was one; a hyphen counts as one.
  @discardableResult
  private static func takeBlanks(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let blanks = rest.prefix(while: { $0 == 0x20 })
    if !blanks.isEmpty {
      rest = rest[blanks.endIndex...]
      return true
    }
    return rest.count > 1 && rest[rest.startIndex + 1] != 0x20 && rest.takeByte("-")
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]
  /// Hours. Source: RFC 5322, 4.3.
  private static let zones = [
    "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
  ]

  private static func readDate(_ rest: inout ArraySlice<UInt8>) -> (year: Int, month: Int, day: Int)? {
    var trial = rest
    if let run = bytesAreFourteenDigits(rest) {
      rest = run.time
      return run.date
    }
    guard let year = trial.takeNumber(digits: 4...4), let separator = trial.first,
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: ".")
    else { return nil }
    trial.removeFirst()
    guard let month = trial.takeNumber(digits: 1...2), trial.first == separator else { return nil }
    trial.removeFirst()
    guard let day = trial.takeNumber(digits: 1...2) else { return nil }
    rest = trial
    return (year, month, day)
  }

  private static func bytesAreFourteenDigits(_ bytes: ArraySlice<UInt8>) -> (
    date: (year: Int, month: Int, day: Int), time: ArraySlice<UInt8>
  )? {
    guard bytes.count == 14, bytes.allSatisfy({ $0.isDigit }) else { return nil }
    var rest = bytes
    guard let year = rest.takeNumber(digits: 4...4), let month = rest.takeNumber(digits: 2...2),
      let day = rest.takeNumber(digits: 2...2)
    else { return nil }
    let clock = Array(rest)
    return ((year, month, day), [clock[0], clock[1], 58, clock[2], clock[3], 58, clock[4], clock[5]])
  }

  /// Milliseconds since midnight: hours and minutes, seconds and their fraction where there are any.
  package static func readTimeOfDay(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let hour = rest.takeNumber(digits: 1...2), rest.takeByte(":"),
      let minute = rest.takeNumber(digits: 2...2), minute < 60
    else { return nil }
    var second = 0
    var fraction = 0
    if rest.takeByte(":") {
      guard let seconds = rest.takeNumber(digits: 2...2), seconds <= 60 else { return nil }
      second = seconds
      if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
        rest.removeFirst()
        guard let milliseconds = rest.takeFraction() else { return nil }
        fraction = milliseconds
      }
    }
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0 && fraction == 0) else { return nil }
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  /// Milliseconds east of Greenwich, nil inside when nothing is stated; nil for something else.
  private static func readZone(_ rest: inout ArraySlice<UInt8>) -> (offset: Int?, Void)? {
    while rest.first == 0x20 { rest.removeFirst() }
    guard let first = rest.first else { return (nil, ()) }
    let word = rest.map { $0 & 0xdf }
    if word == Array("Z".utf8) || word == Array("UTC".utf8) || word == Array("GMT".utf8) {
      rest = []
      return (0, ())
    }
    guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-") else { return nil }
    rest.removeFirst()
    guard let hours = rest.takeNumber(digits: 2...2), hours <= 23 else { return nil }
    var minutes = 0
    if !rest.isEmpty {
      _ = rest.takeByte(":")
      guard let stated = rest.takeNumber(digits: 2...2), stated < 60 else { return nil }
      minutes = stated
    }
    let offset = (hours * 60 + minutes) * 60_000
    return (first == UInt8(ascii: "-") ? -offset : offset, ())
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks (space, tab, no-break space's bytes are left) and line ends on either side.
  package var trimmed: Self {
    var a = startIndex
    var b = endIndex
    while a < b, self[a] == 0x20 || (0x09...0x0d).contains(self[a]) { a += 1 }
    while b > a, self[b - 1] == 0x20 || (0x09...0x0d).contains(self[b - 1]) { b -= 1 }
    return self[a..<b]
  }

  /// Takes as many digits as there are, if their count is in `digits`; at most nine.
  package mutating func takeNumber(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    var i = startIndex
    while i < endIndex, count < digits.upperBound, self[i].isDigit {
      value = value * 10 + Int(self[i] & 15)
      count += 1
      i += 1
    }
    guard count >= digits.lowerBound else { return nil }
    self = self[i...]
    return value
  }

  /// The digits after a decimal point as milliseconds, rounded to the nearest.
  package mutating func takeFraction() -> Int? {
    var value = 0
    var count = 0
    while let digit = first, digit.isDigit {
      if count < 4 { value = value * 10 + Int(digit & 15) }
      count += 1
      removeFirst()
    }
    guard count > 0 else { return nil }
    for _ in Swift.min(count, 4)..<4 { value *= 10 }
    return (value + 5) / 10
  }

  package mutating func takeByte(_ scalar: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: scalar) else { return false }
    removeFirst()
    return true
  }
}

extension UInt8 {
  package var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
