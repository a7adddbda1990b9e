import Geometry

/// The times at which a zone is on duty: weekly windows in a named time zone.
///
/// The engine has no time zone database: the caller supplies the time zone's UTC offsets as data.
/// `Schedule+Opening.swift` computes if the schedule is open and when that changes next.
public struct Schedule: Hashable, Sendable {
  /// Monday = bit 0 ... Sunday = bit 6.
  public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let everyDay = Self(rawValue: 0x7f)
    public static let mondayToFriday = Self(rawValue: 0x1f)
  }
  /// A span from one minute of the day to another. An end at or before the start lies on the next day.
  public struct Window: Hashable, Sendable {
    /// The days on which the window opens.
    public let weekdays: Weekdays
    /// 0 ... 1439.
    public let opens: Int
    /// 0 ... 1440. The window is already closed in this minute.
    public let closes: Int
    /// - Precondition: minutes within their ranges.
    public init(weekdays: Weekdays, opens: Int, closes: Int) {
      precondition(
        Self.allowedOpening.contains(opens) && Self.allowedClosing.contains(closes), "minutes of one day")
      self.weekdays = weekdays
      self.opens = opens
      self.closes = closes
    }

    public static let allowedOpening = 0...1439
    public static let allowedClosing = 0...1440
    /// One minute to 24 hours.
    var minutes: Int { closes > opens ? closes - opens : closes + 1440 - opens }
  }
  /// The local time from `from` on: UTC plus `seconds`.
  public struct Offset: Hashable, Sendable {
    /// Within `Instant.allowed`; other times are moved to the nearest allowed one.
    public let from: Instant
    public let seconds: Int32
    /// - Precondition: `seconds` within `allowedSeconds`.
    public init(from: Instant, seconds: Int32) {
      precondition(Self.allowedSeconds.contains(seconds), "local time is less than 26 hours away from UTC")
      self.from = from.clampedToAllowed
      self.seconds = seconds
    }

    /// More than -25 hours, less than 26. Source: RFC 8536 (TZif), 3.2, "utoff".
    public static let allowedSeconds: ClosedRange<Int32> = -89_999...93_599
  }

  public let windows: [Window]
  /// The name in the IANA database, such as "Europe/Berlin"; shown to people only.
  public let timeZone: Text
  /// Ascending by `from`. The first offset also counts before its start. Without offsets, local time is UTC.
  public let offsets: [Offset]
  /// The windows laid out over one week, for fast answers.
  let week: WeekPattern

  /// - Parameter offsets: if several start at the same instant, the last one counts.
  public init(windows: [Window], timeZone: Text, offsets: [Offset]) {
    self.windows = windows
    self.timeZone = timeZone
    self.offsets = Self.inOrder(offsets)
    week = WeekPattern(windows)
  }

  static func inOrder(_ offsets: [Offset]) -> [Offset] {
    var order = Array(offsets.indices)
    order.sort { offsets[$0].from == offsets[$1].from ? $0 < $1 : offsets[$0].from < offsets[$1].from }
    var kept: [Offset] = []
    for index in order {
      if kept.last?.from == offsets[index].from { kept.removeLast() }
      kept.append(offsets[index])
    }
    return kept
  }
}

/// The reason why numbers are no window or offset.
public enum ScheduleError: Error, Hashable, Sendable {
  /// Allowed: one or more of the seven lowest bits.
  case weekdaysOutOfRange(given: Int)
  /// Allowed: `Schedule.Window.allowedOpening`.
  case openingOutOfRange(given: Int)
  /// Allowed: `Schedule.Window.allowedClosing`.
  case closingOutOfRange(given: Int)
  /// Allowed: `Schedule.Offset.allowedSeconds`.
  case offsetOutOfRange(given: Int)
}

extension Schedule.Window {
  /// Creates a window from unchecked numbers.
  /// - Throws: an error for the first number out of range, with its value.
  public init(checkingWeekdays weekdays: Int, opens: Int, closes: Int) throws(ScheduleError) {
    guard (1...0x7f).contains(weekdays) else { throw .weekdaysOutOfRange(given: weekdays) }
    guard Self.allowedOpening.contains(opens) else { throw .openingOutOfRange(given: opens) }
    guard Self.allowedClosing.contains(closes) else { throw .closingOutOfRange(given: closes) }
    self.init(weekdays: .init(rawValue: UInt8(weekdays)), opens: opens, closes: closes)
  }
}

extension Schedule.Offset {
  /// Creates an offset from an unchecked number.
  public init(from: Instant, checkingSeconds seconds: Int) throws(ScheduleError) {
    guard let exact = Int32(exactly: seconds), Self.allowedSeconds.contains(exact) else {
      throw .offsetOutOfRange(given: seconds)
    }
    self.init(from: from, seconds: exact)
  }
}
